// Made from locales/*.ftl by `npm run texts`; do not edit.
import type { Html } from './html.ts'

type Value = string | number | Html

/** The variables of every text, in the order in which a participant meets them. */
export type TextVariables = {
  'language-name': undefined
  'language-ask': undefined
  'language-set': undefined
  welcome: { contact: Value; organizer: Value }
  'one-moment': undefined
  'place-in-line': { place: Value; wait: Value }
  'place-reached': undefined
  'wait-seconds': { seconds: number }
  'wait-minutes': { minutes: number }
  'invitation-used': undefined
  'released-told': { contact: Value; title: Value }
  'takeover-ask': { tries: Value }
  'takeover-wrong': { tries: Value }
  'takeover-over': { contact: Value }
  'takeover-unknown': { contact: Value }
  'takeover-later': undefined
  'takeover-done': undefined
  'invitation-closed': undefined
  'invitation-forgotten': undefined
  'invitation-unknown': undefined
  'belongs-to-roadmap': undefined
  'registered-elsewhere': { contact: Value }
  'external-id-differs': undefined
  'finished-elsewhere': undefined
  waiting: { contact: Value; organizer: Value; title: Value }
  'waiting-checked': { time: Value }
  'button-refresh': undefined
  'intro-title': { title: Value }
  'intro-greeting': { organizer: Value }
  'intro-greeting-roadmap': { organizer: Value }
  'intro-welcome': { text: Value }
  'intro-joint': undefined
  'intro-questions': { count: number }
  'intro-minutes': { minutes: number }
  'intro-ages': { ages: Value }
  'intro-men': undefined
  'intro-women': undefined
  'ages-between': { max: Value; min: Value }
  'ages-from': { min: Value }
  'ages-to': { max: Value }
  'intro-result-participant': { organizer: Value }
  'intro-result-organizer': { organizer: Value }
  'intro-result-both': { organizer: Value }
  'intro-back': undefined
  'intro-no-back': undefined
  'intro-pause': undefined
  'intro-organizer-sees': undefined
  'intro-language': undefined
  'intro-privacy': { days: Value }
  'intro-consent': undefined
  'button-begin': undefined
  'profile-role': { role: Value }
  'name-ask': undefined
  'name-ask-role': { role: Value }
  'name-example': undefined
  'name-single': { name: Value }
  'button-name-right': { name: Value }
  'name-error.empty': undefined
  'name-error.latin': { bad: Value }
  'name-error.latin_many': undefined
  'name-error.digit': { bad: Value }
  'name-error.punctuation': { bad: Value }
  'name-error.emoji': { bad: Value }
  'name-error.foreign_letter': { bad: Value }
  'name-error.foreign_letter_many': undefined
  'name-error.repeated': undefined
  'name-error.too_short': undefined
  'name-error.too_long': undefined
  'birth-ask': undefined
  'birth-ages': { ages: Value }
  'button-birth-picker': undefined
  'birth-pick-decade': undefined
  'birth-pick-year': undefined
  'birth-pick-month': { year: Value }
  'birth-pick-day': { month: Value; year: Value }
  'button-picker-back': undefined
  'birth-example': undefined
  'birth-error.empty': undefined
  'birth-error.unreadable': undefined
  'birth-error.incomplete': undefined
  'birth-error.age_only': undefined
  'birth-error.invalid_month': undefined
  'birth-error.invalid_day': undefined
  'birth-error.year_out_of_range': undefined
  'birth-error.future': undefined
  'birth-error.too_old': undefined
  'birth-error.ambiguous': undefined
  'birth-error.calendar_mismatch': undefined
  'birth-error.lunar': undefined
  'birth-error.looks_like_mobile': undefined
  'birth-error.looks_like_national_id': undefined
  'birth-guess-century': undefined
  'birth-guess-order': undefined
  'birth-guess-imperial': undefined
  'birth-guess-month': undefined
  'birth-understood': { birth: Value }
  'birth-is-right': undefined
  'birth-text': { age: Value; other: Value; own: Value }
  'birth-choose': undefined
  'button-yes-right': undefined
  'button-birth-other': undefined
  'birth-age-refused': { age: Value; ages: Value; birth: Value; contact: Value }
  'guardian-ask': { name: Value }
  'guardian-ask-participant': undefined
  'button-guardian-yes': undefined
  'button-guardian-no': undefined
  'guardian-agreed': undefined
  'guardian-stop': undefined
  'gender-ask': undefined
  'gender-female': undefined
  'gender-male': undefined
  'mobile-ask-sms': { organizer: Value }
  'mobile-ask': undefined
  'mobile-shared': undefined
  'button-share-mobile': undefined
  'mobile-placeholder': undefined
  'mobile-example': undefined
  'mobile-error.empty': undefined
  'mobile-error.bad_char': undefined
  'mobile-error.foreign': undefined
  'mobile-error.landline': undefined
  'mobile-error.too_short': undefined
  'mobile-error.too_long': undefined
  'mobile-error.not_mobile': undefined
  'mobile-error.several': undefined
  'mobile-unusual': { mobile: Value }
  'button-mobile-right': undefined
  'contact-of-another': undefined
  'keyboard-away': undefined
  'summary-title': undefined
  'summary-name': { name: Value }
  'summary-birth': { birth: Value }
  'summary-gender': { gender: Value }
  'summary-mobile': { mobile: Value }
  'summary-hint': undefined
  'summary-hint-sms': undefined
  'button-profile-ok': undefined
  'button-edit-name': undefined
  'button-edit-birth': undefined
  'button-edit-gender': undefined
  'button-edit-mobile': undefined
  'button-keep': { value: Value }
  'button-edit-person': { role: Value }
  'edit-person': { role: Value }
  'button-edit-back': undefined
  'use-buttons': undefined
  'problem-title': undefined
  'problem-line': { field: Value; reason: Value }
  'problem-missing': undefined
  'problem-age': { ages: Value }
  'problem-gender': undefined
  'problem-name': undefined
  'problem-mobile': undefined
  'field-name': undefined
  'field-birth': undefined
  'field-gender': undefined
  'field-mobile': undefined
  'profile-sending': undefined
  'profile-sending-sms': undefined
  'failure-profile': undefined
  'failure-profile-reason': { reason: Value }
  'failure-mobile-limit': undefined
  'code-ask': { minutes: number; mobile: Value; organizer: Value }
  'code-ask-again': { minutes: number; mobile: Value; organizer: Value }
  'code-malformed': undefined
  'code-none': undefined
  'code-reasons': { contact: Value }
  'code-wrong': undefined
  'code-expired': undefined
  'code-spent': undefined
  'button-sms-again': undefined
  'button-sms-mobile': undefined
  'sms-cooldown': { seconds: number }
  'sms-hour': { minutes: number }
  'sms-hour-contact': { contact: Value }
  'sms-unclear': { mobile: Value }
  'typed-deleted': undefined
  'typed-deleted-sms': undefined
  'typed-withdrawn': undefined
  'questions-begin': undefined
  'question-section': { title: Value }
  'question-section-of': { number: Value; of: Value; title: Value }
  'question-progress': { minutes: number; position: Value; total: Value }
  'question-progress-bare': { position: Value; total: Value }
  'milestone-half': undefined
  'milestone-three-quarters': undefined
  'question-text': { text: Value }
  'question-note': { text: Value }
  'question-chosen': { label: Value; number: Value }
  'option-label': { label: Value; number: Value }
  'option-line': { label: Value; number: Value }
  'option-number': { number: Value }
  'button-question-back': undefined
  'button-question-return': { position: Value }
  'button-review': undefined
  'button-pause': undefined
  'button-continue': undefined
  paused: { answered: Value; title: Value; total: Value }
  'toast-answer-stands': { label: Value; position: Value }
  'toast-answer-stands-fixed': { label: Value; position: Value }
  'toast-already-sent': undefined
  'here-question': { options: Value }
  'here-review': undefined
  'option-out-of-range': { options: Value }
  'answer-too-early': undefined
  'answer-asked': { label: Value; number: Value }
  'all-answered': { total: number }
  'review-title': { page: Value; pages: Value; total: Value }
  'review-entry': { answer: Value; number: Value; question: Value }
  'review-hint': undefined
  'review-hint-fixed': undefined
  'button-page-previous': undefined
  'button-page-next': undefined
  'button-submit': undefined
  'sitting-expired': undefined
  'submit-sending': { total: Value }
  'submit-sent': { total: number }
  'submit-again': undefined
  'submit-delayed': undefined
  'submit-waiting': undefined
  'submit-refused': { contact: Value }
  'submit-once-more': undefined
  'submit-profile-again': undefined
  submitted: { total: number }
  'submitted-uncertain': { contact: Value; title: Value }
  'overtaken-elsewhere': { contact: Value; title: Value }
  'done-elsewhere': { contact: Value; title: Value }
  'submitted-organizer': undefined
  'delivered-organizer': undefined
  'result-coming': undefined
  'result-failed': { contact: Value }
  'result-ready': { title: Value }
  'button-result': undefined
  'result-title': { title: Value }
  'result-summary': { summary: Value }
  'result-scale': { figures: Value; title: Value }
  'result-scale-bare': { title: Value }
  'result-scale-untitled': undefined
  'result-score': { score: Value }
  'result-percentile': { percentile: Value }
  'result-figures-joint': undefined
  'result-interpretation': { text: Value }
  'result-rest-in-report': undefined
  'result-rest-left-out': { contact: Value }
  'result-closing': { contact: Value }
  'result-support': { text: Value }
  'result-picture-caption': { page: Value; pages: number; title: Value }
  'result-picture-caption-role': { page: Value; pages: number; role: Value; title: Value }
  'result-picture-caption-compared': { page: Value; pages: number; people: Value; title: Value }
  'result-album': { title: Value }
  'result-album-item': { item: Value; position: Value }
  'result-album-compared': { people: Value; title: Value }
  'result-album-role': { role: Value; title: Value }
  'result-album-test': { title: Value }
  'result-document-caption': { title: Value }
  'card-note': undefined
  'card-percentile': undefined
  'card-no-percentile': undefined
  'card-score': undefined
  'card-together': undefined
  'card-case-number': undefined
  'card-untitled': { position: Value }
  'card-page': { page: Value; pages: Value }
  'roadmap-intro': { count: Value }
  'roadmap-analysis': undefined
  'roadmap-result-participant': { organizer: Value }
  'roadmap-result-organizer': { organizer: Value }
  'roadmap-result-both': { organizer: Value }
  'roadmap-result-shared': undefined
  'board-begin': undefined
  'board-title': { title: Value }
  'board-here': undefined
  'board-elsewhere': undefined
  'board-role': { role: Value }
  'board-test': { state: Value; title: Value }
  'board-state-new': undefined
  'board-state-finished': undefined
  'board-state-submitting': undefined
  'board-state-apart': undefined
  'board-handed': { done: Value; total: Value }
  'board-handing': { done: Value; total: Value }
  'board-next': { title: Value }
  'board-next-role': { role: Value; title: Value }
  'board-not-ready': undefined
  'role-finished': { role: Value }
  'board-wait-others': undefined
  'board-all-finished': undefined
  'board-failed': undefined
  'moved-below': undefined
  'button-board': undefined
  'button-all-tests': { count: Value }
  'button-next-tests': undefined
  'button-board-begin': { title: Value }
  'button-board-continue': { title: Value }
  'button-board-begin-role': { role: Value; title: Value }
  'button-board-continue-role': { role: Value; title: Value }
  'button-hand': { role: Value }
  'button-unhand': { role: Value }
  'button-generate': undefined
  curtain: { role: Value; test: Value }
  'button-curtain': { role: Value }
  'curtain-before': { role: Value }
  'curtain-agree': undefined
  'button-curtain-agree': { role: Value }
  'button-curtain-decline': undefined
  'curtain-declined': { contact: Value; test: Value }
  'record-waiting': undefined
  'record-delayed': undefined
  'record-finished': { title: Value }
  'hand-forward': { role: Value }
  'hand-invitation': { link: Value; role: Value; title: Value }
  'hand-share': { role: Value; title: Value }
  'hand-intro': { role: Value }
  'hand-intro-test': { title: Value }
  'hand-own': undefined
  'hand-begun': undefined
  'unhand-begun': undefined
  'unhanded-told': undefined
  'opened-now': undefined
  'minutes-between': { from: Value; to: Value }
  'generating-minutes': { minutes: Value }
  generating: undefined
  'generation-slow': undefined
  generated: { title: Value }
  'generated-organizer': { title: Value }
  'report-there': { title: Value }
  'report-there-organizer': { title: Value }
  'generation-failed-reason': { reason: Value }
  'generate-unfinished': undefined
  'generate-refused': { contact: Value }
  'roadmap-report': { title: Value }
  'roadmap-people': { people: Value }
  'roadmap-section': { title: Value }
  'roadmap-section-role': { role: Value; title: Value }
  'failure-unavailable': undefined
  'failure-busy': undefined
  'failure-sms-unclear': undefined
  'failure-organizer': { contact: Value }
  'failure-unshown': { contact: Value }
  'button-retry': undefined
  trouble: undefined
  'tests-none': undefined
  'tests-title': undefined
  'tests-numbered': { number: Value; title: Value }
  'tests-line': { number: Value; state: Value; title: Value }
  'stage-new': undefined
  'stage-waiting': undefined
  'stage-profile': undefined
  'stage-code': undefined
  'stage-loading': undefined
  'stage-question': { position: Value; total: Value }
  'stage-review': undefined
  'stage-submitting': undefined
  'stage-refused': undefined
  'stage-board': undefined
  'stage-generating': undefined
  'stage-failed': undefined
  'stage-scored': undefined
  'stage-done': undefined
  'stage-elsewhere': undefined
  'stage-of-roadmap': undefined
  'button-tests-open': { title: Value }
  'button-tests-begin': { title: Value }
  'button-tests-look': { title: Value }
  'button-tests-result': { title: Value }
  meanwhile: { state: Value; title: Value }
  reminder: { title: Value }
  'reminder-questions': { answered: Value; title: Value; total: Value }
  'reminder-complete': { title: Value }
  'reminder-next': { roadmap: Value; title: Value }
  'reminder-report': { title: Value }
  'reminder-several': { count: Value }
  'reminder-more': { count: Value }
  'reminder-place-report': undefined
  'button-continue-question': { position: Value }
  'button-no-reminders': undefined
  'reminders-off': undefined
  help: { contact: Value; organizer: Value }
  privacy: { accountDays: Value; contact: Value; days: Value; organizer: Value }
  'privacy-policy': { url: Value }
  'forget-unsent': { title: Value }
  'forget-kept': undefined
  'forget-profiles': { count: Value }
  'forget-sittings': { count: Value }
  'forget-finished': { count: Value }
  'forget-links': { count: Value }
  'forget-nothing': undefined
  'forget-history': undefined
  'forget-service': { contact: Value }
  'forget-ask': undefined
  'button-forget-send': { title: Value }
  'button-forget-yes': undefined
  'button-forget-no': undefined
  'forget-kept-all': undefined
  forgotten: { contact: Value }
  cancelled: undefined
  'cancel-nothing': undefined
  'unknown-command': undefined
  'you-are-here': undefined
  'only-text': undefined
  'voice-message': undefined
  'edited-message': undefined
  'nothing-open': undefined
  'button-old': undefined
  'button-done': undefined
  'only-private': { link: Value }
  'command-start': undefined
  'command-tests': undefined
  'command-language': undefined
  'command-help': undefined
  'command-privacy': undefined
  'command-forget': undefined
  'command-cancel': undefined
  'command-records': undefined
  'command-roadmaps': undefined
  'command-invite': undefined
  'command-status': undefined
  'command-notices': undefined
  'help-organizer': undefined
  'bot-description': { organizer: Value }
  'bot-short-description': { organizer: Value }
  'organizer-waits': { wait: Value }
  'organizer-down': undefined
  'organizer-key': undefined
  'organizer-refused': undefined
  'organizer-unknown': undefined
  'search-too-long': { letters: Value }
  'list-records-title': undefined
  'list-roadmaps-title': undefined
  'list-search': { text: Value }
  'list-count': { count: number; from: Value; to: Value }
  'list-none': undefined
  'list-at': { time: Value }
  'list-item': { number: Value; person: Value; state: Value; title: Value }
  'list-nobody': undefined
  'list-gone': { command: Value }
  'list-long': undefined
  'button-list-next': undefined
  'button-list-back': undefined
  'button-list-again': undefined
  'button-filter-finished': { mark: Value }
  'button-filter-unfinished': { mark: Value }
  'button-filter-male': { mark: Value }
  'button-filter-female': { mark: Value }
  'button-filter-kind': { mark: Value; title: Value }
  'service-unread': undefined
  'service-waiting': undefined
  'service-finished': undefined
  'service-scoring': undefined
  'service-ready': undefined
  'service-ready-profile': undefined
  'service-progress': undefined
  'service-analysis': undefined
  'card-title': { title: Value }
  'card-record': undefined
  'card-roadmap': undefined
  'card-token': { token: Value }
  'card-state': { state: Value }
  'card-person': { name: Value }
  'card-person-age': { age: number; name: Value }
  'card-case': { number: Value }
  'card-external-id': { id: Value }
  'card-role': { role: Value }
  'card-role-test': { state: Value; title: Value }
  'card-free': undefined
  'card-forgotten': undefined
  'card-released': { tries: Value }
  'card-begun': { time: Value }
  'card-roles': undefined
  'card-role-invited': undefined
  'card-stage': { state: Value }
  'card-active': { time: Value }
  'card-waits': { time: Value }
  'card-waits-name': { name: Value; time: Value }
  'card-waits-id': { id: Value; time: Value }
  'card-stuck': { hours: number }
  'card-of-roadmap': undefined
  'card-invitations': undefined
  'card-invitation': { code: Value; state: Value }
  'card-invitation-role': { code: Value; role: Value; state: Value }
  'card-invitations-more': { count: Value }
  'card-owed-participant': undefined
  'card-owed-organizer': undefined
  'card-owed-both': undefined
  'button-card-invite': undefined
  'button-card-invite-role': { role: Value }
  'button-card-release': undefined
  'button-card-release-role': { role: Value }
  'button-card-send': undefined
  'button-card-again': undefined
  'send-coming': undefined
  'send-not-yet': undefined
  'invitation-made': { code: Value; link: Value; title: Value }
  'invitation-made-role': { code: Value; link: Value; role: Value; title: Value }
  'invitation-external-id': { id: Value }
  'invitation-until': { time: Value }
  'invitation-no-end': undefined
  'invitation-result-participant': undefined
  'invitation-result-organizer': undefined
  'invitation-result-both': undefined
  'invitation-state-open': undefined
  'invitation-state-until': { time: Value }
  'invitation-state-expired': undefined
  'invitation-state-used': undefined
  'invitation-state-revoked': undefined
  'invitation-used-up': undefined
  'invitation-was-revoked': undefined
  'invitation-over-already': undefined
  'invitation-to-begun': undefined
  'button-copy-link': undefined
  'button-qr': undefined
  'button-share': undefined
  'button-expire': { days: number }
  'button-no-end': undefined
  'button-to-participant': { mark: Value }
  'button-to-organizer': { mark: Value }
  'button-to-both': { mark: Value }
  'button-revoke': undefined
  'qr-caption': { code: Value; title: Value }
  'share-text': { title: Value }
  'share-inline-title': undefined
  'share-inline': { link: Value }
  'invite-claimed': { title: Value }
  'invite-forgotten': { title: Value }
  'invite-of-roadmap': { title: Value }
  'invite-finished': { title: Value }
  'invite-roles': { title: Value }
  'invite-role-early': { title: Value }
  'invite-role-done': { title: Value }
  'invite-role-unknown': { title: Value }
  'invite-is-record': undefined
  'invite-is-roadmap': undefined
  'invite-ask': { lines: Value }
  'invite-none': undefined
  'invite-too-many': { lines: Value }
  'invite-line-bad': undefined
  'invite-id-roadmap': { roles: Value }
  'invite-file-large': { megabytes: Value }
  'invite-file-kind': undefined
  'invite-file-gone': undefined
  'invite-batch': { lines: number }
  'batch-caption': { failed: number; made: number }
  'batch-sheet-caption': undefined
  'batch-stopped-key': undefined
  'batch-stopped-down': undefined
  'sheet-title': undefined
  'sheet-scan': { bot: Value }
  'invitation-revoked': undefined
  'invitation-expired': undefined
  'invitation-changed': undefined
  'notice-external-id': { id: Value; title: Value }
  'button-external-id-drop': undefined
  'button-external-id-new': undefined
  'external-id-ask': undefined
  'external-id-ask-roles': { roles: Value }
  'external-id-settled': undefined
  'notice-refused': { title: Value }
  'notice-unreadable': { reason: Value; title: Value }
  'notice-unreadable-question': { question: Value; reason: Value; title: Value }
  'unshown-why.several': undefined
  'unshown-why.free-text': undefined
  'unshown-why.no-options': undefined
  'unshown-why.no-text': undefined
  'unshown-why.no-label': undefined
  'unshown-why.no-value': undefined
  'unshown-why.same-value': undefined
  'unshown-why.same-label': undefined
  'unshown-why.picture': undefined
  'unshown-why.media': undefined
  'unshown-why.too-large': undefined
  'unshown-why.no-questions': undefined
  'unshown-why.unreadable': undefined
  'notice-billing': { title: Value }
  'notice-waiting': { title: Value }
  'notice-submit': { title: Value }
  'notice-attempt': { title: Value }
  'notice-result': { title: Value }
  'notice-report': { title: Value }
  'notice-generation-slow': { title: Value }
  'notice-guardian': { title: Value }
  'notice-sms-limit': { title: Value }
  'notice-mobile-limit': { title: Value }
  'notice-answers-expire': { days: Value; title: Value }
  'notice-result-expires': { days: Value; title: Value }
  'notice-roadmap-left': { title: Value }
  'notice-done-elsewhere': { title: Value }
  'notice-finished-elsewhere': { title: Value }
  'notice-registered-elsewhere': { title: Value }
  'notice-uncertain': { title: Value }
  'notice-trouble': undefined
  'release-ask': { title: Value }
  'release-ask-role': { title: Value }
  'button-release-same': undefined
  'button-release-other': undefined
  'release-same-done': { title: Value }
  'release-role-done': { title: Value }
  'release-mark-done': { title: Value }
  'release-again-done': { title: Value }
  'release-anew-done': { title: Value }
  'release-refused': { title: Value }
  'release-answers-wait': { title: Value }
  'release-busy': undefined
  'release-nobody': undefined
  'notice-key': undefined
  'notice-finished': { title: Value; validity: Value }
  'notice-stuck': { title: Value }
  'notice-blocked': { title: Value }
  'notice-analysis-ready': { title: Value }
  'notice-analysis-failed': { reasons: Value; title: Value }
  'whose-role': { role: Value; title: Value }
  'notice-label': { title: Value; whose: Value }
  'button-card': undefined
  notices: undefined
  'button-notice-on': { kind: Value }
  'button-notice-off': { kind: Value }
  'notices-many': { count: Value }
  'notices-count': { count: Value; kind: Value }
  'notices-in-file': undefined
  'kind-of-notice.finished': undefined
  'kind-of-notice.analysis': undefined
  'kind-of-notice.stuck': undefined
  'kind-of-notice.blocked': undefined
  'kind-of-notice.billing': undefined
  'kind-of-notice.external': undefined
  'kind-of-notice.guardian': undefined
  'kind-of-notice.key': undefined
  'kind-of-notice.trouble': undefined
  'validity-fast': { count: Value; questions: Value; usual: Value }
  'validity-run': { count: Value; usual: Value }
  'validity-changes': { count: Value; usual: Value }
  'validity-pauses': { count: Value; usual: Value }
  'validity-resumes': { count: Value; usual: Value }
  'validity-minutes': { count: Value; usual: Value }
  'validity-minutes-alone': { count: Value }
  'status-title': { count: Value }
  'status-none': undefined
  'status-stage': { count: Value; stage: Value }
  'status-calls': { limit: Value; used: Value }
  'board-stage.opened': undefined
  'board-stage.profile': undefined
  'board-stage.code': undefined
  'board-stage.answering': undefined
  'board-stage.stuck': undefined
  'board-stage.submitting': undefined
  'board-stage.waiting': undefined
  'board-stage.analysis': undefined
  'board-stage.delivered': undefined
  'board-stage.blocked': undefined
  'status-picture-title': undefined
  'status-picture-note': undefined
  'button-drop': { title: Value }
  'button-export': undefined
  'button-audit': undefined
  'drop-title': { title: Value }
  'drop-caption': { begun: number; finished: number; title: Value }
  'drop-note': undefined
  'drop-question': { from: Value }
  'drop-questions': { from: Value; to: Value }
  'drop-all': undefined
  'drop-gone': { command: Value }
  'export-caption': { rows: number }
  'audit-title': undefined
  'audit-none': undefined
  'audit-line': { time: Value; what: Value; who: Value }
  'audit-line-token': { time: Value; token: Value; what: Value; who: Value }
  'act.invite': undefined
  'act.batch': undefined
  'act.expire': undefined
  'act.to': undefined
  'act.revoke': undefined
  'act.release-same': undefined
  'act.release-other': undefined
  'act.send': undefined
  'act.external-id': undefined
  'act.export': undefined
}

export type TextKey = keyof TextVariables

/** Made from the words that people consent to. */
export const CONSENT_VERSION = 2656263508
