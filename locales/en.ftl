### The texts in the order a participant meets them. Each is Telegram HTML; variables are made harmless.
### \u200E holds a line from the left that is a title and no more, which is mostly Persian.

language-name = English
language-ask = Choose the language of this chat:
language-set = From now on this chat is in English.
settings =
    <b>Settings</b>
    Each button changes one setting; ✓ marks what is set now.
settings-set = Changed.
button-large-on = { $mark }Large text
button-hour = { $mark }Reminder at { $hour }:00

## Beginning

welcome =
    Hello! Here you can take the tests that “{ $organizer }” has sent you.

    To begin, open the invitation link you were given, or send it here.

    Any question? { $contact }
one-moment = One moment please, I am checking…
place-in-line =
    { $place ->
        [1] The testing service takes no new requests right now.
       *[other] Several people are in line right now.
    } Your place in line: { $place }; your turn comes in about { $wait }. There is nothing you need to do.
place-reached = It is your turn.
wait-seconds =
    { $seconds ->
        [0] a moment
        [one] { $seconds } second
       *[other] { $seconds } seconds
    }
wait-minutes =
    { $minutes ->
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    }
invitation-used = This invitation has been opened with another account. If that account was yours, tell the person who sent it, and they can let you go on here.
released-told = The organizer has moved “{ $title }” off this account, so that it can go on with another one. Any question? { $contact }
takeover-ask = This test was started with another account, and the organizer has opened it for you here. Please write the mobile number you gave last time, such as <code>09123456789</code>. Tries left: { $tries }
takeover-wrong = This is not the number you gave last time. Please write the right one (tries left: { $tries }). If you do not remember it, please ask the organizer: { $contact }
takeover-over = The number was wrong several times. Please ask the organizer to open the test for you again: { $contact }
takeover-unknown = The testing service does not say which number you gave last time. Please ask the organizer: { $contact }
takeover-later = We could not check the number just now. Please write it again in a few minutes.
takeover-done = Welcome back. All your answers are here, and you go on at the same place.
invitation-closed = This message has expired. Please open the invitation link again.
invitation-forgotten = You asked to delete what we kept about this test, so this invitation does not open any more. If you want to take part again, please ask the sender for a new link.
invitation-unknown = There is no such invitation. Please open the link once more from the original message; if it still does not work, ask the sender for a new one.
visits-many = Many links were opened from this account. Please try again in { $minutes ->
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    }.
belongs-to-roadmap = This link is part of a package of tests and does not open on its own. Please ask the sender for the link to the whole package.
registered-elsewhere =
    The testing service has this test under other details. What you wrote was not registered, and none of your answers are sent to it.

    We have told the organizer; please ask them how to go on: { $contact }
registered-as-sent = You are registered with the details that you sent before you corrected them. The correction has not reached the testing service; if it matters, please ask the organizer to make it: { $contact }
external-id-differs = This link was made for somebody else. Please ask the sender for your own link.
finished-elsewhere = This test is already finished and cannot be opened again.
waiting =
    The test “{ $title }” is not open yet. “{ $organizer }” has to activate it first; there is nothing you need to do.

    Press the button below in a little while. If it takes long, get in touch: { $contact }
waiting-checked = The organizer has not opened it yet (last checked at { $time }).
button-refresh = Look again

## Introduction and consent

intro-title = {"\u200E"}<b>{ $title }</b>
intro-greeting = Hello! “{ $organizer }” invites you to this test.
intro-greeting-roadmap = Hello! “{ $organizer }” invites you to this package of tests.
intro-welcome = { $text }
intro-joint = , {""}
intro-questions = { $count ->
        [one] { $count } question
       *[other] { $count } questions
    }
intro-minutes = about { $minutes ->
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    }
intro-ages = { $ages }.
intro-men = This test is for men.
intro-women = This test is for women.
intro-until = This invitation is open until { $time }.
ages-between = This test is for people aged { $min } to { $max }
ages-from = This test is for people aged { $min } or over
ages-to = This test is for people aged { $max } or under
intro-result-participant = Your answers go to “{ $organizer }”, and the result is sent to you here. They can take a copy of it; you are told each time.
intro-result-organizer = Your answers and your result go to “{ $organizer }”, who will talk with you about it.
intro-result-both = Your answers go to “{ $organizer }”. The result is sent to you and to them.
intro-back = You can change any answer before you send them.
intro-no-back = Once you have given an answer it cannot be changed.
intro-pause = Stop whenever you like and go on later from the same place.
intro-organizer-sees = The organizer can see that you have started and how far you are, but no answers before you send them. After that they also see how you answered (speed, pauses, changes).
intro-language = The questions themselves are in Persian.
intro-privacy =
    What you write is kept encrypted and, if you do not finish, deleted after { $days } days. Your details stay for your next test, so that you need not write them again.
    You can delete everything at any time with /forget. Details: /privacy
intro-consent = By pressing “Start” you agree that your details and answers may be used for this test.
button-begin = Start
here-intro = To start, press the “Start” button.

## Details

profile-role = Details of <b>{ $role }</b>
name-ask = Write your first and last name in Persian letters.
name-ask-role = Write the first and last name of { $role } in Persian letters.
name-example = Example: زهرا محمدی
name-single =
    What is the family name of “{ $name }”?

    Please write it. If this one name is enough, press the button below.
button-name-right = This is enough: { $name }
button-profile-same = Same details as last time: { $name }
name-error =
    .empty = No name was written.
    .latin = Please write the name in Persian letters. These are not Persian: { $bad }
    .latin_many = Please write the name in Persian letters.
    .digit = Please write the name without digits.
    .punctuation = Please write the name without punctuation: { $bad }
    .emoji = Please write the name without emoji: { $bad }
    .foreign_letter = These letters cannot be used in a name: { $bad }
        Please use the Persian spelling of the identity document.
    .foreign_letter_many = Please write the name in Persian letters, as in the identity document.
    .repeated = One letter is repeated several times in a row. Please write the name in full.
    .too_short = This name is too short; it needs at least two letters.
    .too_long = This name is longer than 50 letters. Please shorten it.

birth-ask = Write the date of birth, such as 1996/8/2 or 2 August 1996, or choose it from the calendar.
birth-ages = { $ages }.
button-birth-picker = Choose from the calendar
birth-pick-decade = Choose the decade of birth, or write the date.
birth-pick-year = Choose the year of birth.
birth-pick-month = { $year }. Choose the month of birth.
birth-pick-day = { $month } { $year }. Choose the day of birth.
button-picker-back = Back
birth-error =
    .empty = No date was written.
    .unreadable = I could not read this date.
    .incomplete = The year, the month and the day are all needed.
    .age_only = Please write the date of birth, not the age.
    .invalid_month = There is no such month. It must be from 1 to 12.
    .invalid_day = This month has no such day.
    .year_out_of_range = I could not read the year. Please write it with four digits.
    .future = This date is still to come.
    .too_old = This date is too long ago. Please check the year.
    .ambiguous = This date can be read in several ways. Please write the year first, with four digits.
    .calendar_mismatch = The month and the year belong to different calendars. Please write both in the same one.
    .lunar = I cannot read lunar dates. Please write a Gregorian or solar date.
    .looks_like_mobile = This looks like a mobile number. The date of birth is needed here.
    .looks_like_national_id = This looks like a national ID number, which is not needed. The date of birth is needed here.
birth-guess-century = You wrote the year with two digits.
birth-guess-order = The day and the month could also be the other way round.
birth-guess-imperial = The year was an imperial one, and I converted it.
birth-guess-month = The name of the month was not spelled as usual.
birth-understood = I read it as: <b>{ $birth }</b>
birth-is-right = Is that right?
birth-text = { $own } ({ $other }), { $age } years old
birth-choose = This date can be read in more than one way. Which one is right?
button-yes-right = Yes, that is right
button-birth-other = No, it is another date
birth-age-refused =
    I read it as: { $birth }.
    { $ages }; with this date the age is { $age }.

    If the date is wrong, write it again. If it is right, please contact the organizer: { $contact }

guardian-ask =
    {"\u200E"}“{ $name }” is younger than 18. To go on, a parent or guardian has to agree to the test. If they are here, they answer right away; otherwise send them a link.

    Is a parent or guardian here, and do they agree?
guardian-ask-participant =
    The person taking the test is younger than 18. To go on, a parent or guardian has to agree to the test. If they are here, they answer right away; otherwise send them a link.

    Is a parent or guardian here, and do they agree?
button-guardian-yes = Yes, I am here and agree
button-guardian-link = Send a link to a guardian
button-guardian-no = No
guardian-agreed = A guardian is here and agrees.
guardian-stop = Thank you for telling us. We cannot go on without the consent of a guardian. If they are not with you, come back with /start and send them a link; what you wrote is kept.
guardian-link-forward = Please send the next message on to a parent or guardian. As soon as they answer, we go on here by ourselves.
guardian-link =
    Hello! To take part in “{ $title }”, a parent or guardian has to agree. This link shows what is asked, and takes your answer:

    { $link }
guardian-link-share = To take part in “{ $title }”, your permission is needed.
guardian-link-own = This link is for your parent or guardian; your own account cannot answer it. Please send it on to them.
guardian-link-used = This link has been answered once and is of no use any more. If you have changed your mind, please tell the organizer: { $contact }
guardian-link-expired = This link has expired. Should it still be needed, please ask for a new one.
guardian-link-over = This link needs no answer any more.
guardian-ask-parent = Somebody younger than 18 would like to take part in “{ $title }”, and a parent or guardian has to agree. “{ $organizer }” invites.
guardian-ask-parent-role = Their role: { $role }
guardian-ask-parent-result-participant = The answers go to “{ $organizer }”, and the result is sent to the participant. “{ $organizer }” can take a copy of it; the participant is told each time.
guardian-ask-parent-result-organizer = The answers and the result go to “{ $organizer }”, who will talk about it with the participant.
guardian-ask-parent-result-both = The answers go to “{ $organizer }”. The result is sent both to the participant and to “{ $organizer }”.
guardian-ask-parent-shared = Several people take part. The combined report is sent to the one who began and to those who take part with their own Telegram. Each of them sees the results of the others.
guardian-ask-parent-kept = The participant’s name, birth date, gender, mobile and answers are kept encrypted. What stays unfinished is deleted after { $days } days; they can delete everything themselves at any time. Of you only the time and the words of your answer are kept, without a name. Details: /privacy
guardian-ask-parent-end = Are you their parent or guardian, and do you agree?
button-guardian-agree = Yes, I am their guardian and I agree
button-guardian-decline = I do not agree
guardian-asked-yes = Thank you. Your consent is noted, and they can go on.
guardian-asked-no = Thank you. Your answer is noted, and it stops there.
guardian-agreed-apart = A parent or guardian has agreed on their own phone.
guardian-only-apart = A parent or guardian has said no on their own phone. If they have changed their mind, send them another link to answer by.
guardian-declined-apart = The parent or guardian did not agree on their own phone, so it stops here. What you wrote is kept; should they change their mind, press /start and send them another link.

gender-ask = Choose the gender.
gender-female = Female
gender-male = Male
gender-girl = Girl
gender-boy = Boy

mobile-ask-sms =
    Write the mobile number, or send the number of this Telegram account with the button at the bottom.

    A code is sent to it by SMS on behalf of “{ $organizer }”.
mobile-ask = Write the mobile number, or send the number of this Telegram account with the button at the bottom.
mobile-shared = One number is enough for all participants.
button-share-mobile = Send my Telegram number
mobile-placeholder = such as 09123456789
mobile-example = Example: <code>09123456789</code>
mobile-error =
    .empty = No number was written.
    .bad_char = Please write digits only, without letters or sentences.
    .foreign = This number is not Iranian. Please write an Iranian mobile number.
    .landline = This is a landline. Please write a mobile number.
    .too_short = This number is too short. A mobile number has 11 digits and begins with 09.
    .too_long = This number has more than 11 digits. A mobile number begins with 09.
    .not_mobile = This is not a mobile number. A mobile number has 11 digits and begins with 09.
    .several = Please write one number only.
mobile-unusual =
    I read it as: <code>{ $mobile }</code>

    The number is a little unusual. If it is right, press the button; otherwise write the right one.
button-mobile-right = That is right
contact-of-another = This number belongs to somebody else. Please send your own with the button at the bottom, or type it.
keyboard-away = Got the number.

summary-title = Please check that everything is right:
summary-name = Name: <b>{ $name }</b>
summary-birth = Birth: { $birth }
summary-gender = Gender: { $gender }
summary-mobile = Mobile: <code>{ $mobile }</code>
summary-hint = If it is all right, continue. Otherwise change what is not.
summary-hint-sms = If it is all right, continue and we send a code by SMS. Otherwise change what is not.
summary-hint-role = If it is all right, continue. Until the tests are finished, the others see only your first name.
summary-given = Given by { $name } ✓
summary-awaited = To be given by { $name }
summary-only-left = Only { $name } is left.
summary-left = Still missing: { $name }.
button-profile-ok = Yes, continue
button-edit-name = Change name
button-edit-birth = Change date of birth
button-edit-gender = Change gender
button-edit-mobile = Change mobile
button-hand-details = Let “{ $role }” write them in their own Telegram
button-hand-again = Send the invitation of { $role } again
button-unhand-details = I will write the details of { $role } myself
button-keep = Keep: { $value }
button-edit-person = Change details of { $role }
edit-person = Which detail of “{ $role }” do you want to change?
button-edit-back = Back
use-buttons = Please answer with the buttons under the message.

problem-title = This has to be corrected before we continue:
problem-line = • { $field }: { $reason }
problem-missing = not given yet.
problem-age = { $ages }.
problem-gender = this test is for another gender.
problem-name = Persian letters only, 50 at most.
problem-mobile = it must have 11 digits and begin with 09.
field-name = Name
field-birth = Date of birth
field-gender = Gender
field-mobile = Mobile
profile-sending = The details have been sent…
profile-sending-sms = The details have been sent; the code is on its way…
failure-profile = The details were not accepted. Please check them and correct what is wrong.
failure-profile-reason =
    The details were not accepted:
    <blockquote>{ $reason }</blockquote>
    Please correct them.
failure-mobile-limit = This number has been used too often and cannot be used again. Please give another one.

## SMS code

code-ask =
    A code was sent by SMS to <code>{ $mobile }</code> on behalf of “{ $organizer }”. Write it here; it is valid for { $minutes ->
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    }.

    This code comes by SMS only. Never write Telegram’s own login code here.
code-ask-again =
    Please write the code of the SMS that was sent to <code>{ $mobile }</code> on behalf of “{ $organizer }”. It is valid for another { $minutes ->
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    }.

    This code comes by SMS only. Never write Telegram’s own login code here.
code-malformed = Write the code with digits only.
code-length =
    { $count ->
        [one] This is one digit
       *[other] These are { $count } digits
    }; a code usually has 4 to 6. Write all of it, as it stands in the SMS.
code-none = An SMS is sometimes a minute or two late. If it does not come, press “Send a new code”. If the number below is wrong, press “Change the mobile”.
code-reasons =
    No SMS? Please check:
    • the number
    • signal and inbox
    • spam or blocked folder
    • service messages not blocked

    Still nothing? Tell the organizer: { $contact }
code-wrong = This code is wrong. Please look at the latest SMS.
code-expired = The code has expired. Ask for a new one, or change the number if it was wrong. Your other details are safe.
code-spent = Five wrong codes were written, so this code is no longer accepted. Please ask for a new one, or change the number if it was wrong. Your other details are safe.
button-sms-again = Send a new code
button-sms-mobile = Change the mobile
sms-cooldown =
    Please wait { $seconds ->
        [one] { $seconds } second
       *[other] { $seconds } seconds
    } before a new code. { $way ->
        [yes] An SMS can be a little late.
       *[other] Until then none is on its way.
    }
sms-hour = Several codes were sent in the last hour. Please ask again in { $minutes ->
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    }.
sms-day = No more codes can be sent today to this number, or for this test. Please ask again tomorrow.
sms-bot = Many codes were asked for in the last hour and not entered, so none is sent for now. Please ask again in { $minutes ->
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    }; what you have given is kept.
sms-hour-contact = If no SMS has come at all, the organizer can help: { $contact }
sms-unclear = The connection broke, and we cannot tell whether the code reached <code>{ $mobile }</code>. Press “Send a new code”; a code from before no longer works.
typed-deleted = Your details are registered. For your privacy, what you wrote here (name, birth and mobile) is now removed from this chat.
typed-deleted-sms = Your details are registered. For your privacy, what you wrote here (name, birth, mobile and code) is now removed from this chat.
typed-given = We have your details. What you wrote here is now removed from this chat.
details-wait = Your tests open when everybody’s details are here and { $by } has registered them. We will tell you here.
details-came = The details of { $name } have come.
details-gone = The details that { $name } had given are no longer with us.
typed-withdrawn = For your privacy, what you wrote here (name, birth and mobile) is now removed from this chat.
typed-stays = What you wrote here (name, birth and mobile) is too old for us to remove from this chat. For your privacy, please delete it yourself.

## Questions

questions-begin =
    The questions are ready. You see one at a time; press a button or write the number of your answer.

    Whenever you are tired, press “Continue later”; every answer is kept at once.
question-section = New section: <b>{ $title }</b>
question-section-of = Section { $number } of { $of }: <b>{ $title }</b>
question-test = {"\u200E"}<b>{ $title }</b>
question-progress =
    Question { $position } of { $total }, about { $minutes ->
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    } left
question-progress-bare = Question { $position } of { $total }
milestone-half = You are halfway through.
milestone-three-quarters = Three quarters done; not much is left.
question-text = <b>{ $text }</b>
question-note = <i>{ $text }</i>
question-chosen =
    Your current answer: { $number ->
        [0] { $label }
       *[other] { $number }. { $label }
    }
option-label =
    { $number ->
        [0] { $label }
       *[other] { $number }. { $label }
    }
option-line =
    { $number ->
        [0] { $label }
       *[other] <b>{ $number }.</b> { $label }
    }
option-number = { $number }
question-type =
    { $options ->
        [0] Please write the number of the option as it stands above.
       *[other] Please write the number of the option (1 to { $options }).
    }
button-question-back = Previous question
button-question-return = Back to question { $position }
button-review = Review the answers
button-pause = Continue later
button-continue = Continue
paused =
    { $answered ->
        [0] You have not answered a question yet; “{ $title }” stays as it is.
       *[other] Your answers in “{ $title }” are kept (questions answered: { $answered } of { $total }).
    }

    Press “Continue” or /tests whenever you are ready.
toast-answer-stands = For question { $position } the answer “{ $label }” is recorded. To change it, press “Previous question”.
toast-answer-stands-fixed = For question { $position } the answer “{ $label }” is recorded.
toast-answers-lost = Your last few answers were lost through a fault of ours. We are sorry! Please go on from here.
toast-already-sent = The answers have been sent and can no longer be changed.
here-question =
    { $options ->
        [0] Please press one of the buttons or write the number that is on it:
       *[other] Please press one of the buttons or write its number (1 to { $options }):
    }
here-review = Please go on with one of the buttons below:
option-out-of-range = Options of this question: { $options }. Please write a number from 1 to { $options }:
answer-too-early = You sent this before you saw the question below, so it did not count:
answer-not-in-sight = The question below was not in front of you when you sent this, so it did not count:
answer-elsewhere = You wrote this in reply to another message, so nothing was recorded. Please go on here:
answer-asked =
    { $number ->
        [0] “{ $label }?”
       *[other] “{ $number }. { $label }?”
    } It is not clear whether this number was meant for this question. If it was, press the button below.
answer-changed = Answer { $position } changed: { $label }
button-ask = I have a question
button-ask-words = Send this to the organizer
ask-words = Write your question: your next message goes to a person at “{ $organizer }”, and the answer comes here.
ask-stays = The test stays where it is: press any of its buttons, or /start, to go on.
ask-only-text = I can only pass on text. Please write your question.
ask-too-long = This message is too long; please write at most { $letters } characters.
ask-too-many = This was not sent: five messages an hour can be. If it is urgent: { $contact }
ask-sent = Your message was sent to “{ $organizer }”. The answer comes here.
ask-contact = You can ask the organizer: { $contact }
help-first = If you are not well, please do not stay alone with it: talk to somebody. How to reach the organizer: { $contact }
answer-came = An answer from “{ $organizer }” to your message:
all-answered =
    { $total ->
        [one] <b>The question is answered.</b>
       *[other] <b>All { $total } questions are answered.</b>
    }

    Send the answers, or look through them first.
review-title = <b>Review</b> (page { $page } of { $pages }, questions: { $total })
review-entry =
    { $number }. { $question }
    › <b>{ $answer }</b>
review-hint = To change an answer press its number. If everything is right, send the answers.
review-hint-fixed = If you are ready, send the answers.
button-page-previous = Previous page
button-page-next = Next page
button-submit = Send the answers
attempt-expired = The time for keeping the answers of this test is over, and they have been deleted. The test starts again from the beginning.

## Sending and result

submit-sending = Sending all answers ({ $total })…
submit-sent =
    { $total ->
        [one] Your answer has arrived. Thank you.
       *[other] All { $total } of your answers have arrived. Thank you.
    }
submit-again = The answers are being sent again…
submit-delayed = The testing service cannot be reached right now. Your answers are safe and will be sent automatically; you need not wait. The result comes here when it is ready.
submit-waiting = Your answers are safe and on their way. The result comes here when it is ready.
submit-refused =
    Your answers are complete and safe here, but the testing service has not accepted them yet. The organizer has to fix this: { $contact }

    Press the button after that. You need not answer anything again.
submit-stalled =
    Your answers are complete and safe here, but sending them has failed, and that is our fault. The button below sends them again.

    You need not answer anything again.
submit-once-more = We were interrupted before your answers reached the testing service, and your last change may be missing. Please look at them once more and send them.
submit-profile-again = The testing service asks for your details again. Your answers are safe and will be sent automatically after that.
submitted =
    { $total ->
        [one] Your answer has arrived. Thank you. We are preparing the result…
       *[other] All { $total } of your answers have arrived. Thank you. We are preparing the result…
    }
submitted-uncertain = The testing service already has complete answers to “{ $title }”. This bot was restored from an earlier copy, so nobody can tell whether the result comes from your answers. We have told the organizer: { $contact }
overtaken-elsewhere = “{ $title }” was finished elsewhere and does not go on here. The result at the testing service does not come from your answers. We have told the organizer: { $contact }
done-elsewhere =
    “{ $title }” was finished elsewhere before your answers arrived. They were not accepted, and the result at the testing service does not come from them.

    We have told the organizer; please ask them how to go on: { $contact }
submitted-organizer = Your answers have arrived. Thank you for your time.
delivered-organizer = The result has reached the organizer, who will talk with you.
result-taken = “{ $organizer }” has taken a copy of the result of “{ $title }”, as the introduction said.
result-coming = The result is being sent…
results-many = The result has been sent many times within the last hour. Please ask again in { $minutes ->
    [one] { $minutes } minute.
   *[other] { $minutes } minutes.
    }
result-not-yet = The result is not ready yet. It comes here as soon as it is.
result-failed =
    Your answers have been accepted, but the result could not be fetched. The organizer has been told: { $contact }

    Press the button a little later.
result-ready = The test “{ $title }” is finished. You can have the result sent again.
button-result = Send the result again
result-title = <b>Result of “{ $title }”</b>
result-summary = { $summary }
result-scale = <b>{ $title }</b>: { $figures }
result-scale-bare = {"\u200E"}<b>{ $title }</b>
result-scale-untitled = Scale
result-score = score { $score }
result-percentile = percentile { $percentile }
result-figures-joint = , {""}
result-interpretation = { $text }
result-rest-in-report = The rest is in the full report.
result-rest-left-out = This result is too long for the chat. For the rest please ask: { $contact }
result-figures-missing = The testing service did not give the scores and words of this result. What there is stands in the full report.
result-closing = This result is not a medical diagnosis and does not replace talking with a professional. For questions about it: { $contact }
result-support = { $text }
result-picture-caption =
    “{ $title }” at a glance{ $pages ->
        [1] {""}
       *[other] {" "}(picture { $page } of { $pages })
    }
result-picture-caption-family = “{ $title }” at a glance: { $people }
result-then = With the earlier result: { $date }
result-document-caption = The full report of “{ $title }”. Tap the file and choose your browser.
result-pdf-caption = The result of “{ $title }” in short, to print or for your therapist: hold the message and press “Forward”.
button-hand-on = For my therapist
report-inline-title = The report, for a therapist
card-note = This chart is not a clinical diagnosis; please discuss it with a psychologist.
report-note = This result is not a clinical diagnosis; please discuss it with a psychologist.
card-percentile = The number on each hill: how many of 100 people have a lower score.
card-usual = The thick line is the usual range: half of all people are there.
card-then-and-now = Filled: { $now }; hollow: { $then }.
card-no-percentile = no percentile
card-score = Score
card-score-below = The number below it is the score.
card-rest = The other numbers are in the text.
card-case-number = Case number
card-untitled = Scale { $position }
card-page = Page { $page } of { $pages }

## Roadmap

roadmap-intro = { $count ->
        [one] This package has one test:
       *[other] This package has { $count } tests:
    }
roadmap-analysis = At the end, a combined report is made from the answers with the help of artificial intelligence.
roadmap-result-participant = The answers go to “{ $organizer }”. The combined report is sent here to the person who started, and to those who take a part with their own Telegram. “{ $organizer }” can take a copy of it; you are told each time.
roadmap-result-organizer = The answers and the combined report go to “{ $organizer }”, who will talk with you about it.
roadmap-result-both = The answers go to “{ $organizer }”. The combined report is sent to them, to the person who started, and to those who take a part with their own Telegram.
roadmap-result-shared = <b>The other participants of this package will see your results, too.</b>
board-begin = Everything is ready. Take the tests in any order; leave whenever you are tired, and go on from here later.
which-are-you = Which one are you?
you-are = You: { $role }
board-title = {"\u200E"}<b>{ $title }</b>
board-here = <u>On this phone</u>
board-elsewhere = <u>On their own phones</u>
board-role = {"\u200E"}<b>{ $role }</b>
board-you = <b>You</b>
board-test = • { $title }: { $state }
board-handed = tests finished: { $done } of { $total }
board-handing = waiting for the invitation to be opened ({ $done } of { $total } finished)
board-next = Next test: { $title }
board-next-own = Your next test: { $title }
board-next-role = Next test of { $role }: { $title }
board-not-ready = The participants’ details are not complete yet. The person who started has to complete them; your tests open after that.
role-finished = { $role } has finished all their tests.
board-wait-others = No test is left here. We are waiting for the others.
board-only-left = No test is left here. Only { $name } is left.
board-sending = Nothing is left to do here. The last answers are being sent.
board-all-finished = All tests are finished. Start the combined report with the button below.
board-all-finished-soon = All tests are finished. Work on the combined report starts by itself within a minute.
board-failed = The report could not be made this time. The answers are kept; you can try again.
moved-below = Continued below.
button-board = List of tests
button-all-tests = All tests ({ $count })
button-next-tests = Only the next tests
button-board-begin = Start: { $title }
button-board-continue = Continue: { $title }
button-board-begin-role = { $role }: { $title }
button-board-continue-role = Continue, { $role }: { $title }
button-hand = Invite { $role }
button-unhand = Cancel the invitation of { $role }
button-recall = Remind { $name }
recall-sent = We will remind them.
recall-not = No reminder can be sent now; please press again in a few hours.
button-auto = { $mark }Make the report by itself
button-generate = Make the combined report
hand-over =
    The next test, “{ $test }”, is for <b>{ $role }</b>. Please hand the phone to them.

    Earlier answers are not shown.
button-hand-over = I am { $role }
hand-over-before = {"\u200E"}<b>{ $role }, please read this before you start:</b>
hand-over-agree = If you agree, press the button below. Until then no question is shown.
button-hand-over-agree = I am { $role }, and I agree
button-hand-over-decline = I do not agree
hand-over-declined =
    All right. The test “{ $test }” was not started, and nothing has been sent.

    If you have a question or a worry, talk to a grown-up you trust, or ask the organizer: { $contact }

    If you change your mind, the test is still in the list.
record-waiting = The answers to this test are safe and on their way.
record-delayed = The testing service cannot be reached right now. The answers to this test are safe and will be sent automatically; you need not wait.
record-finished = The test “{ $title }” is finished and its answers are accepted. Thank you.
hand-forward = Send the message below to “{ $role }”, so that they can take part with their own Telegram:
hand-invitation =
    Hello! You are invited to “{ $title }” (your role: { $role }). To start, open this link:
    { $link }
hand-share = The tests of { $role } for “{ $title }”
hand-intro = Your role in this package: <b>{ $role }</b>. { $count ->
        [one] Your test:
       *[other] Your tests:
    }
hand-invited-by = You are invited by { $name }.
hand-intro-test = {"\u200E"}• { $title }
hand-own = You made this invitation yourself. Send it to the person who takes part with their own Telegram.
hand-begun = A test of this role is half done. Finish it first, then make an invitation for the rest.
unhand-begun = The tests of this role have been started there, so the invitation can no longer be cancelled.
unhanded-told = The person who started the package has cancelled your invitation. There is nothing you need to do.
unhanded-role = The person who started the package has cancelled your invitation as “{ $role }”.
unhanded-released = The organizer has this package started anew, so your invitation is no longer valid. There is nothing you need to do.
opened-now = Good news: the organizer has opened it.
minutes-between = { $from } to { $to } minutes
generating = The combined report is being made.
generating-time = It usually takes { $time }.
generation-slow = The report is taking longer than usual. Nothing is lost, and we have told the organizer.
report-goes-here = You need not wait; it is sent here when it is ready.
report-goes-organizer = You need not wait; it is sent to “{ $organizer }” when it is ready.
generated = The combined report of “{ $title }” is ready and is being sent.
generated-organizer = The combined report of “{ $title }” is ready and is being sent to the organizer, who will talk with you about it.
report-there = The combined report of “{ $title }” has been sent. You can have it again at any time.
report-there-organizer = The combined report of “{ $title }” has reached the organizer, who will talk with you.
generation-failed-reason = <blockquote>{ $reason }</blockquote>
generate-unfinished = The testing service says that one of the tests is not finished yet. We look at it again.
generate-refused = Before the report can be made, the organizer has to fix something; we have told them: { $contact }. Please press the button again after that.
roadmap-report = <b>Combined report of “{ $title }”</b>
roadmap-people = { $people }
roadmap-section = <b>{ $title }</b>
roadmap-section-role = <b>{ $title } · { $role }</b>


## Failures

failure-unavailable = The testing service does not answer right now. What you wrote is kept; please try again a little later.
failure-busy = It is very busy right now. What you wrote is kept; please try again in a minute.
failure-sms-unclear = It is not clear whether the SMS went out. If it does not come, ask for a new code.
failure-organizer =
    To continue, the organizer has to fix something: { $contact }

    What you wrote is kept; please try again after that.
failure-unshown =
    This test has a question that cannot be shown properly here, so we do not ask any of it. Nothing was sent, and nothing is lost.

    The organizer has to fix this: { $contact }
button-retry = Try again
trouble = Something went wrong on our side, and the person in charge has been told. What was recorded is kept; press /start to go on.

## My tests

tests-none = You have not started a test yet. Open the invitation link you were given, or send it here.
tests-title = <b>Your tests</b>
tests-numbered = { $number }. { $title }
tests-line =
    {"\u200E"}{ $number }. { $title }
    { $state }
stage-new = not started
stage-waiting = waiting for the organizer
stage-profile = filling in the details
stage-code = waiting for the SMS code
stage-given = details given
stage-loading = ready to start
stage-question = question { $position } of { $total }
stage-review = all answered, not sent yet
stage-submitting = being sent
stage-refused = not sent, answers are safe
stage-board = taking the tests
stage-generating = the report is being made
stage-failed = the report could not be made
stage-scored = the result is on its way
stage-done = finished
stage-elsewhere = finished elsewhere
stage-registered-elsewhere = registered with other details
stage-of-roadmap = part of a package of tests
stage-apart = open in another chat
stage-report = only the combined report is left
button-tests-open = Continue: { $title }
button-tests-begin = Start: { $title }
button-tests-look = Status: { $title }
button-tests-result = Result: { $title }
meanwhile =
    “{ $title }”: { $state }
    Press the button below to go on with it.
set-aside = We put “{ $title }” aside ({ $state }). Go on with the button below whenever you like.

reminder = “{ $title }” is not finished yet. Whenever you have time, go on from where you were.
reminder-questions = “{ $title }” is not finished yet (questions answered: { $answered } of { $total }). Whenever you have time, go on from where you were.
reminder-complete = All questions of “{ $title }” are answered, only sending them is left. Whenever you have time, send them.
reminder-next =
    In “{ $roadmap }” the next test is ready: “{ $title }”.

    Start whenever you have time.
reminder-report = All tests of “{ $title }” are finished; only the combined report is left to be made.
reminder-several = { $count } tests are not finished yet. Whenever you have time, go on with any of them from where you were.
button-continue-question = Continue at question { $position }
button-no-reminders = No more reminders
button-reminders-on = Reminders on
reminders-off = You will get no more reminders. Your tests are still there under /tests.

## Commands

help =
    Here you take the tests of “{ $organizer }”. Every answer is kept at once.

    • Start or go on: /start
    • Your tests: /tests
    • Language, large text, reminders: /settings
    • Privacy: /privacy
    • Delete your data: /forget
    • Leave this dialog: /cancel

    A new phone or account, or a question? { $contact }
privacy =
    <b>Privacy</b>

    • <b>What:</b> your details (for your next test), answers until the result arrives, and which invitations you opened. Organizers see how you answered: speed, pauses, changes.

    • <b>Where:</b> encrypted on this server, and at the testing service for “{ $organizer }”, who deletes or corrects it there: { $contact }

    • <b>How long:</b> unfinished work { $days } days, unsent or undelivered work 90 days, the rest { $accountDays } days without activity. That a result is yours (with your first name and case number) stays until /forget. For a year the organizer sees which tests were started, without names.

    • <b>Your rights:</b> /mydata gives it all, /forget deletes it. Only a nameless mark stays: your link opens for nobody else.
privacy-policy = The organizer’s privacy policy: { $url }
privacy-security = If you find a weakness in the security of this bot, please report it: { $security }
mydata-readable = What is kept here about you, to read. To delete it: /forget
mydata-json = The same, for programs.
mydata-title = What this bot kept about you on { $at }
mydata-account = Telegram id: { $id }; language: { $language }
mydata-reminders-on = Reminders: on
mydata-reminders-off = Reminders: off
mydata-reminder-hour = Hour of reminders: { $hour }
mydata-large = Large text: on
mydata-corrections = What is wrong after the registration, only “{ $organizer }” can correct: { $contact }
mydata-nothing = Nothing else is kept.
mydata-again = Kept for the next time: { $name }, { $birth }, { $gender }, { $mobile }
mydata-record = “{ $title }”, id { $token }
mydata-name = Name: { $name }
mydata-case = Case number: { $number }
mydata-external = Your number with the organizer: { $id }
mydata-details = Details typed: { $details }
mydata-mobile = Mobile: { $mobile }
mydata-person = { $role }: { $name }
mydata-consent = Consent: { $at }, version { $version } of the text
mydata-result-participant = The result goes to you
mydata-result-organizer = The result goes to the organizer
mydata-result-both = The result goes to you and the organizer
mydata-agreed-guardian = Consent of a parent or guardian: { $at }, version { $version } of the text
mydata-agreed-guardian-of = Consent of a parent or guardian of { $role }: { $at }, version { $version } of the text
mydata-agreed-minor-of = Consent of { $role }: { $at }, version { $version } of the text
mydata-finished = Finished: { $at }
mydata-received = You received the result: { $at }
mydata-answer = Question { $number }: { $question } → { $answer }
mydata-question = Message to the organizer, { $at }: { $text }
mydata-act = The organizer: { $what }, { $at }
forget-unsent = <b>Please note:</b> the answers to “{ $title }” are complete but not accepted yet. If you delete them, they are lost.
forget-kept = What we keep about you:
forget-details = • your name, birth date, gender and mobile
forget-profiles = • unfinished details: { $count }
forget-attempts = • tests with answers here: { $count }
forget-finished = • finished tests: { $count }
forget-links = • invitations you opened: { $count }
forget-nothing = Apart from the id of this chat and its language we keep nothing about you.
forget-history = Results and messages in this chat stay; to clear them: ⋮ and “Clear History”.
forget-service = Only the organizer can delete what the testing service holds: { $contact }
forget-ask = Delete all of this? It cannot be undone.
button-forget-send = Send first: { $title }
button-forget-yes = Yes, delete everything
button-forget-no = No, keep it
forget-kept-all = Nothing was deleted.
forgotten =
    Everything about you has been deleted here. Only the organizer can delete what the testing service holds: { $contact }

    The results in this chat stay with you; “Clear History” in the ⋮ menu of the chat removes them.
cancelled = Put aside. We keep your answers and details; what you wrote is removed from this chat. To go on: /tests
left-aside = Put aside. Your tests: /tests
cancel-nothing = There is nothing open to put aside. Your tests: /tests
unknown-command = I do not know this command. All commands: /help
command-near = Did you mean { $command }?
own-id = Your Telegram id: <code>{ $id }</code>
you-are-here = I did not understand this. Please continue here:
greeting = Hello!
forwarded = This message was sent on from elsewhere. Please write it yourself:
only-text = I cannot read this kind of message. Please continue here:
voice-message = I cannot listen to voice messages; please write, or press a button:
edited-message = Changes to earlier messages do not count. If something has to change, please send a new message.
nothing-open = No test is open right now. Open the invitation link you were given, or send it here. Your tests: /tests
button-old = This button is old. Please go on in the last message.
button-done = This has just been done.
only-private = This bot works in private chats only. Please open it here: { $link }
command-start = Begin or continue
command-tests = My tests
command-settings = Language, large text, reminders
command-help = Help
command-privacy = Privacy
command-mydata = My data, in two files
command-forget = Delete what is kept about me
command-cancel = Leave the current dialog
command-records = Records at the service, with a search
command-roadmaps = Roadmaps at the service, with a search
command-invite = Make invitations, one or hundreds
command-status = Where everybody is, and the CSV table
command-notices = Which notices I get
help-organizer =
    <b>For organizers</b>
    • Home: /start; a name or #id may simply be written
    • A question: use Telegram’s reply
    • Records and the card of each: /records with a text, or #id
    • Roadmaps: /roadmaps
    • Invitations: /invite with one line, or up to a thousand lines and a file
    • Who is where, the CSV table, the acts of organizers: /status
    • Notices: /notices
bot-description = Here you take the tests that “{ $organizer }” has sent you. Begin with your invitation link.
bot-short-description = Tests of “{ $organizer }”

## Lists and cards for organizers

organizer-waits = Participants go first. Your turn comes in about { $wait }; the answer comes here by itself.
organizer-down = The testing service does not answer right now. Nothing has been changed; please try again a little later.
organizer-key = The testing service refuses the key of this bot. Nothing has been changed; please check SERVICE_KEY.
organizer-refused = The testing service does not accept this request. Please try other words or filters.
search-none =
    Nothing was found. Search: “{ $text }”

    Write a name, a case number, #external id or a UUID.
organizer-unknown = The testing service knows nothing with this token.
search-too-long = That is too long for a search. Please use at most { $letters } letters.
list-records-title = <b>Records</b>
list-roadmaps-title = <b>Roadmaps</b>
list-search = Search: “{ $text }”
list-count = { $count ->
        [one] { $count } found
       *[other] { $count } found
    }, { $from } to { $to } shown
list-none = Nothing was found.
list-at = Updated: { $time }
list-item =
    {"\u200E"}<b>{ $number }.</b> { $title }
    { $person } · { $state }
list-nobody = nobody yet
list-item-unnamed =
    {"\u200E"}<b>{ $number }.</b> { $title }
    { $state }
list-filters = Which ones shall be shown?
tests-more = { $count ->
        [one] One more test has no button here.
       *[other] { $count } more tests have no button here.
    }
button-list-filters = { $mark }Filters
button-list-return = Back to the list
list-gone = This list is not kept any more. Please ask for it again: { $command }
list-rest-gone = The rest of this list is not kept any more. “Update” on the list brings it anew.
list-long = The list is very long. Please narrow it down with a word or the filters below.
button-list-next = Next ›
button-list-back = ‹ Back
button-list-again = Update
button-filter-finished = { $mark }Finished
button-filter-unfinished = { $mark }Not finished
button-filter-male = { $mark }Men
button-filter-female = { $mark }Women
button-filter-kind = { $mark }{ $title }
service-unread = unknown
service-waiting = not yet activated in the service’s panel
service-finished = finished
service-scoring = being scored
service-ready = ready
service-ready-profile = ready, details registered
service-progress = in progress
service-analysis = analysis being made
card-title = {"\u200E"}<b>{ $title }</b>
card-record = Record
card-roadmap = Roadmap
card-token = Token: <code>{ $token }</code>
card-state = At the service: { $state }
card-person = Participant: { $name }
card-person-age = { $name }, { $age ->
        [one] { $age } year
       *[other] { $age } years
    }
card-case = Case number: { $number }
card-external-id = Your number: { $id }
card-role = {"\u200E"}<b>{ $role }</b>
card-role-test = • { $title }: { $state }
card-free = In the bot: nobody has started yet
card-forgotten = In the bot: the participant has had it deleted. It opens again only if you release it.
card-released = In the bot: released for the same person (tries left for the mobile: { $tries })
card-begun = In the bot: started { $time }
card-expired = It stayed unfinished and its term is over; it begins anew.
card-roles = In the bot: its roles have been invited one by one
card-role-invited = In the bot: invited, not started yet
card-stage = Stage: { $state }
card-active = Last active: { $time }
card-waits = A participant has waited for you since { $time }
card-waits-name = { $name } has waited for you since { $time }
card-waits-id = The participant with your number { $id } has been waiting for you since { $time }
card-validity = How it was answered: { $fast } in under a second, { $run } identical ones in a row at most, active minutes: { $activeMinutes }
card-stuck = Without activity for { $hours ->
        [one] { $hours } hour
       *[other] { $hours } hours
    }
card-of-roadmap = This record is part of a roadmap and is not invited on its own.
card-invitations = <b>Invitations</b>
card-invitation = • <code>{ $code }</code> ({ $state })
card-invitation-role = • { $role }: <code>{ $code }</code> ({ $state })
card-invitations-more = and { $count } more
card-owed-participant = The result is still owed to the participant.
card-owed-organizer = The result is still owed to the organizers.
card-owed-both = The result is still owed to participant and organizers.
button-card-invite = Invite
button-card-made = Invitation { $code }
button-card-invite-role = Invite { $role }
button-card-release = Release
button-card-release-role = Release { $role }
button-card-send = Send me the result
button-card-again = Update
button-card-nudge = Remind now
send-coming = The result is on its way to you.
send-not-yet = There is no result yet.
send-released = This was released, and nobody has gone on with it yet: until then no result is sent.
nudge-sent = The reminder was sent; the participant goes on at the very place.
nudge-later = These are quiet hours. The reminder goes out at { $time }.
nudge-already = Somebody was reminded of this already ({ $time }). For 12 hours no other reminder goes out.
nudge-off = No reminder was sent: the participant wants none.
nudge-blocked = No reminder was sent: the participant has blocked the bot.
nudge-nothing = No reminder was sent: the participant has nothing to do now.
nudge-nobody = No reminder was sent: nobody has begun this yet.
nudge-released = No reminder was sent: this was released, and nobody has gone on with it yet.
nudge-without =
    .off = Not to everybody: somebody among them wants none.
    .blocked = Not to everybody: somebody among them has blocked the bot.

## Invitations of organizers

invitation-made =
    Invitation to “{ $title }”
    Code: <code>{ $code }</code>
    { $link }
invitation-made-role =
    Invitation to “{ $title }” for { $role }
    Code: <code>{ $code }</code>
    { $link }
invitation-external-id = Your number: { $id }
invitation-until = Opens until { $time }
invitation-no-end = No end
invitation-result-participant = The result goes to the participant.
invitation-result-organizer = The result goes to the organizers.
invitation-result-both = The result goes to participant and organizers.
invitation-result-shared = The report is one for all roles: who receives it changes for all of them with any invitation.
invitation-state-open = open
invitation-state-until = open until { $time }
invitation-state-expired = expired
invitation-state-used = used
invitation-state-revoked = revoked
invitation-used-up = It has been used: who began with it goes on.
invitation-was-revoked = It has been revoked and opens nothing any more.
invitation-over-already = This invitation is over already.
invitation-to-begun = This has been begun already, and who receives the result was agreed to.
button-copy-link = Copy the link
button-qr = QR code
button-share = Share
button-expire =
    { $days ->
        [one] { $mark }Ends in { $days } day
       *[other] { $mark }Ends in { $days } days
    }
button-no-end = { $mark }No end
button-to-participant = { $mark }Result: participant
button-to-organizer = { $mark }Result: organizers
button-to-both = { $mark }Result: both
button-revoke = Revoke
qr-caption = Code <code>{ $code }</code> · “{ $title }”
share-text = You are invited to “{ $title }”.
share-inline-title = Send the invitation
share-inline =
    Hello! You are invited. To begin, open this link:
    { $link }
invite-claimed = No new invitation is made, since “{ $title }” has been begun already. Release it first if somebody else is to begin.
invite-forgotten = The participant of “{ $title }” had it deleted. Release it first if it is to be begun again.
invite-of-roadmap = “{ $title }” is part of a roadmap. Please invite to the roadmap itself.
invite-finished = No new invitation is made, since “{ $title }” is finished already.
invite-roles = The roles of “{ $title }” have been invited one by one.
invite-role-early = The profiles of “{ $title }” do not exist yet, so its roles cannot be invited one by one. Please invite to the whole of it.
invite-role-done = This role of “{ $title }” has nothing left to do, or has been begun already.
invite-role-unknown = “{ $title }” has no such role.
invite-is-record = This is a record, not a roadmap.
invite-is-roadmap = This is a roadmap, not a record.
invite-ask =
    Send the token of each test on a line of its own. Behind it may stand your own number, and the participant’s name, birth date and mobile:
    <code>13a76b29-6f0c-4c56-9a55-0e8f2f4b7d11, 4711</code>
    <code>13a76b29-6f0c-4c56-9a55-0e8f2f4b7d11, سارا راد{"\u200E"}, 1375/5/12, 09123456789</code>

    A .csv or .txt document works, too (at most { $lines } lines). To leave: /cancel
invite-leave = To leave: /cancel
invite-none = No line was found in that. Please write at least one token.
invite-too-many = That is more than { $lines } lines. Please send them in several parts.
invite-line-bad =
    I do not understand this line. It should read:
    <code>[record|roadmap] UUID [external id]</code>
invite-id-roadmap =
    A roadmap takes an external id for each role, in this order: { $roles }. Write “-” for a role without one:
    <code>roadmap UUID 101 102 -</code>
invite-file-large = This file is too large: at most { $megabytes } MB.
invite-file-kind = Please send a .csv or .txt document with plain text.
invite-file-gone = Telegram does not hand out this file. Please send it once more.
invite-batch =
    { $lines ->
        [one] { $lines } line
       *[other] { $lines } lines
    } received. Each is looked up at the testing service; participants go first. The list of links comes here by itself.
button-groups = Groups
button-group = { $name } ({ $count })
button-group-name = Name this group
button-group-see = See the group
button-group-nudge = { $count ->
        [one] Remind the one who is stuck
       *[other] Remind the { $count } who are stuck
    }
button-group-nudge-yes = { $count ->
        [one] Yes, remind them
       *[other] Yes, all { $count }
    }
groups-title = <b>Groups</b>: each was invited together.
groups-none = There is no group yet. Give several lines to /invite, and they become one.
group-unnamed = Invitations of { $time }
group-title = {"\u200E"}<b>{ $name }</b>
group-unopened = not opened yet
group-member = <b>{ $number }.</b> { $who } · { $state }
group-gone = This group is not kept any more.
group-name-ask = What shall this group be called? For example “Class 7b” (up to { $letters } characters). To leave: /cancel
group-named = The group is called “{ $name }” now.
group-nudge-ask = { $count ->
        [one] One person in “{ $name }” has not gone on for a day or longer. Shall they be reminded?
       *[other] { $count } people in “{ $name }” have not gone on for a day or longer. Shall all of them be reminded?
    }
group-nudge-none = Nobody is stuck in “{ $name }”.
group-nudged = { $count ->
        [0] Nobody is being reminded
        [one] One is being reminded
       *[other] { $count } are being reminded
    }{ $left ->
        [0] .
        [one] ; one was reminded lately, wants no reminders, has blocked the bot or has nothing to do now.
       *[other] ; { $left } were reminded lately, want no reminders, have blocked the bot or have nothing to do now.
    }
group-nudged-rest = { $most } are reminded at a time. { $count ->
        [one] One is left: remind them, too?
       *[other] { $count } are left: remind them, too?
    }
batch-caption = { $made ->
        [one] { $made } invitation
       *[other] { $made } invitations
    } made{ $failed ->
        [0] .
        [one] ; { $failed } line has a reason in the column “error”.
       *[other] ; { $failed } lines have a reason in the column “error”.
    }
batch-twice = These lines name what another line names already: { $lines }. Each has its invitation; whoever begins first ends the others.
batch-unfit = The birth dates of these lines are outside the ages of their test: { $lines }. These participants are asked for it again; if a date is right, the test is not for that person.
batch-taken = The numbers of these lines were given to another test above: { $lines }. The testing service takes each number once; please invite these again with other numbers.
line-problem-at = Line { $line }: { $problem }
line-problem =
    .line = line not understood
    .ids = a roadmap takes an external id for each role
    .unknown = unknown to the service
    .record = it is a record, not a roadmap
    .roadmap = it is a roadmap, not a record
    .claimed = begun already
    .forgotten = deleted by its participant: release it first
    .of-roadmap = belongs to a roadmap
    .finished = finished already
    .roles = its roles are invited one by one
    .refused = refused by the service
    .no-ids = a roadmap takes an external id for each role
line-problem-length = a UUID has 36 characters, this one has { $length }
line-problem-part = “{ $part }” is no external id, name, birth date or mobile
batch-sheet-caption = To print and cut: twelve invitations to a page.
batch-stopped-key = The testing service refuses the key, so no invitation was made. Please check SERVICE_KEY and send the lines again.
batch-stopped-down = The testing service has not answered for a long time, so no invitation was made. Please send the lines again later.
sheet-title = Invitations
sheet-scan = Scan with your phone, or send this code to @{ $bot }:
invitation-revoked = This invitation is no longer valid. Please ask whoever sent it to you.
invitation-expired = The time of this invitation is over. Please ask whoever sent it to you for a new one.
invitation-changed = Who receives the result has changed since you read this. Please read it once more.

## For the organizer

notice-external-id = The external id { $id } in “{ $title }” is taken already, and the participant cannot go on. What shall be done?
button-external-id-drop = Go on without an id
button-external-id-new = Give another id
external-id-ask = Write the new external id as a number.
external-id-ask-roles = Write the new external ids in one message, in this order: { $roles }. Write “-” for whoever has none.
external-id-settled = Thank you. The participant goes on by itself.
external-id-over = Nobody waits for this id any more; nothing was changed.
notice-refused = The testing service refused a request for “{ $title }”. Please check the key, the credit, the access, and that it is still there; a participant is waiting.
notice-unreadable = The questions of “{ $title }” come in a form that the bot cannot ask: { $reason } A participant is waiting. Please mend the test at the service, or make another one for them.
notice-unreadable-question = Question { $question } of “{ $title }” cannot be shown as it is meant, so the whole test is not asked: { $reason } A participant is waiting. Please mend the test at the service, or make another one for them.
unshown-why =
    .several = it wants several answers.
    .free-text = it wants a written answer.
    .no-options = it has no options.
    .no-text = it has no text.
    .no-label = an option has no text.
    .no-value = the question or an option has no id.
    .same-value = two options have the same id.
    .same-label = two options have the same text.
    .picture = a picture cannot be had (https or data only, at most 5 MB).
    .media = it has sound, video or something else that no chat shows.
    .too-large = it is larger than what can be asked in a chat.
    .no-questions = no question was found in it.
    .unreadable = its form cannot be read.
notice-billing = Complete answers of a participant in “{ $title }” were not accepted because of credit or plan. They are safe; once that is fixed the participant presses “Try again”.
notice-waiting = A participant has opened “{ $title }”, but at the testing service it waits for you (credit or plan), and nobody can go on. As soon as you open it, the bot tells the participant.
notice-submit = Complete answers of a participant in “{ $title }” were not accepted. They are safe; please check the testing service.
notice-attempt = “{ $title }” does not open for its participant: the answers kept here belong to another account. Nothing was deleted; please tell the technical manager of the bot.
notice-result = The result of “{ $title }” could not be fetched from the service. Please check.
notice-report = The result of “{ $title }” was delivered, but its full report (the HTML file) could not be fetched from the service. Please check.
notice-figures = The full report of “{ $title }” came, but its scores and words (JSON) could not be fetched from the service. Please check.
notice-generation-slow = The analysis of “{ $title }” has not ended for more than an hour. The bot goes on waiting for it; please check the testing service.
notice-guardian = In “{ $title }” the guardian of a participant under 18 was not present or did not agree; the test was stopped.
notice-sms-limit = In “{ $title }” an SMS code was asked for several times, and no more is sent for now; perhaps the SMS does not reach the participant. Please check the SMS service and the number.
notice-sms-unverified = In the last hour many more SMS codes were asked for than were entered, so the bot sends none for now. Either the SMS service delivers nothing, or somebody has codes sent to strangers. Please check both; it goes on by itself within the hour.
notice-mobile-limit = The testing service refused the mobile that was given in “{ $title }”: it is registered as often as allowed. The participant was asked for another number; should there be none, please check this limit at the service.
notice-answers-expire = Complete answers of a participant in “{ $title }” have not been sent to the testing service for a long time. They will be deleted; days left: { $days }. Please check the testing service. If the participant has not sent them yet, ask them to do so with /tests.
notice-result-expires = The result of “{ $title }” has not reached everybody who is to receive it. The bot stops trying soon (days left: { $days }); please ask the participant to write /start to the bot.
notice-roadmap-left = Whoever began “{ $title }” has deleted what the bot kept, and some of its tests are not finished. The others cannot finish without this person; please decide with them how to go on.
notice-withdrawn = Somebody who took part in “{ $title }” had everything deleted that was kept here. What the testing service holds only you can delete: <code>{ $token }</code>
notice-done-elsewhere = “{ $title }” was finished elsewhere with other answers, and those of the participant who had started it here were not accepted. The participant does not get the service’s result; their own answers stay here until their term is over. Please decide with them how to go on.
notice-test-elsewhere = “{ $title }” was finished elsewhere with other answers, and those of the participant who had started it here were not accepted. The combined report is made of those other answers, and its text says so. Please decide with them how to go on.
notice-finished-elsewhere = “{ $title }” is finished at the testing service, but not from this chat. The participant who had started it here cannot go on. Please decide with them what comes next.
notice-registered-elsewhere = “{ $title }” is registered at the testing service with other details than the participant wrote here. It stops here, and no answer goes there; please find out which details are right.
notice-uncertain = “{ $title }” is finished at the testing service. The bot was restored from an earlier copy, so nobody can tell whether the result comes from this participant’s answers. They have been told so.
notice-trouble = A message failed several times and was set aside. Please tell whoever runs the bot.
release-ask = Who is to go on with “{ $title }”?
release-ask-role = Each role of “{ $title }” has an account of its own. Which one shall be released?
button-release-same = The same person, in another account
button-release-other = Another person, anew
release-same-done = Released. Only the invitation below (or one that you make later) opens “{ $title }”. The account that opens it is asked for the mobile in the details (three tries) and goes on at the same place with every answer.
release-role-done = Released. The next account that opens the invitation below is asked for the mobile in the details (three tries). It goes on with “{ $title }” at the same place; the others simply go on.
release-mark-done = Released. Only the invitation below (or one that you make later) opens “{ $title }”. The account that opens it is asked for the mobile in the details (three tries). No answers are kept here any more, so it begins at the introduction.
release-again-done = Released. What was kept of “{ $title }” is deleted. Only the invitation below (or one that you make later) opens it, and it begins at the introduction.
release-anew-done = Released. What was kept of “{ $title }” is deleted, and the next account begins at the introduction.
release-refused = “{ $title }” already has somebody’s details at the service, so another person cannot take it over. Please make a new test for them in the service’s panel.
release-answers-wait = The answers to “{ $title }” are complete, but the service has no details and so no mobile to compare. Only “another person” is possible; the answers would be deleted.
release-busy = A request of this participant is under way at the service. Please try again when it has ended.
release-nobody = There is nothing to release here. If its card says otherwise, please refresh the card.
notice-key = The testing service refuses the key of the bot. Nobody can go on until it works again; please check SERVICE_KEY.
notice-finished = Finished: “{ $title }”.
    { $validity }
notice-stuck = Nobody has gone on with “{ $title }” for 24 hours. A word to the participant helps most; a lost phone or account is what “Release” is for.
notice-blocked = The result of “{ $title }” is owed to a chat that has blocked the bot. It comes as soon as the participant unblocks the bot and writes /start.
notice-analysis-ready = The analysis of “{ $title }” is ready.
notice-analysis-failed = The analysis of “{ $title }” has failed. Whoever began it can start it again from the board.
    { $reasons }
whose-role = Role: { $role } in “{ $title }”
notice-label = { $title } · { $whose }
button-card = Show the card
notices = Which notices would you like? A tap switches one.
button-notice = { $mark }{ $kind }
question-came = A participant of “{ $title }” has a question. They are here: { $place }.
question-again = This question from “{ $title }” is still unanswered. The participant is here: { $place }.
question-how = To answer, reply to this message (Telegram’s “Reply”).
button-asked = How do I answer?
question-answered = { $by } has answered:
question-gone = This question is not kept any more, so no answer reaches anybody.
questions-none = No question is unanswered.
answer-sent = Your answer goes to the participant as soon as they can be reached.
reply-no-question = The message that you replied to is nobody’s question, so this went to nobody.
reply-only-text = Only text reaches the participant. Please write the answer.
notices-many = <b>{ $count } notices</b>
notices-count = • { $kind }: { $count }
notices-in-file = All of them in full are in this file.
kind-of-notice =
    .finished = finished tests
    .analysis = analyses
    .stuck = who is stuck
    .blocked = results owed to blocked chats
    .billing = credit
    .external = external ids
    .guardian = guardians
    .key = the key
    .trouble = trouble
    .digest = the day in short, at 9
validity-fast = • answers in under a second: { $count } of { $questions } (usual: up to { $usual })
validity-run = • most identical answers in a row: { $count } (usual: up to { $usual })
validity-changes = • changed answers: { $count } (usual: up to { $usual })
validity-pauses = • pauses of more than an hour: { $count } (usual: up to { $usual })
validity-resumes = • times they came back: { $count } (usual: up to { $usual })
validity-beyond = <b>Please read these answers with caution</b>
validity-minutes = • active minutes: { $count } (usual: about { $usual })
validity-minutes-alone = • active minutes: { $count } (the test names no usual time)

## Status for organizers

status-title =
    In the last 30 days { $count ->
        [one] { $count } invitation was opened
       *[other] { $count } invitations were opened
    }
status-none = Nothing was opened in the last 30 days.
status-stage = • { $stage }: { $count }
status-calls = Calls to the testing service in the last hour: { $used } of { $limit }
status-trouble = Does not work now: { $parts }
bot-part =
    .storage = what is kept
    .telegram = the way to Telegram
    .service = the testing service
    .webhook = what comes from Telegram
    .clock = the server’s clock
    .room = memory or disk of what is kept
    .backup = the copies
operator-fails = ⚠️ Does not work since { $time }: { $part }. On the server, “porsa check” says why.
operator-works = ✅ Works again since { $time }: { $part }
board-stage =
    .opened = opened, not started
    .profile = filling in the details
    .code = waiting for the SMS code
    .answering = answering
    .stuck = 24 hours without activity
    .submitting = being sent
    .waiting = waiting for the organizer
    .analysis = analysis
    .delivered = finished
    .owed = result owed to a blocked chat
board-stage-short =
    .opened = Not begun
    .profile = Details
    .code = SMS code
    .answering = Answering
    .stuck = Stuck
    .submitting = Being sent
    .waiting = Waiting for you
    .analysis = Analysis
    .delivered = Finished
    .owed = Not delivered
home-title = <b>Home</b> · { $time }
home-today = <b>Today</b>: { $begun } begun · { $delivered } finished · { $opened } only opened
home-unanswered = { $count ->
        [one] { $count } question without an answer
       *[other] { $count } questions without an answer
    }
home-recount = The figures are being counted anew; press “Update” in a moment.
home-ways =
    Lists: /records and /roadmaps
    Invitations: /invite
    Picture, drop-off, CSV: /status
    Notices: /notices
    Search: write a name, a case number, an id (with # before it) or a UUID right here.
home-own = { $count ->
        [one] A test of your own is open, too.
       *[other] { $count } tests of your own are open, too.
    }
button-home = Home
button-home-again = Update
button-home-more = Questions and groups
button-home-questions = Questions without an answer: { $count }
button-home-tests = My own tests: { $count }
button-stage = { $stage }: { $count }
digest-title = <b>Since yesterday</b>
digest-done = • finished: { $count }
digest-stuck = • stuck: { $count } (new: { $fresh })
digest-waiting = • waiting for you: { $count }
digest-unanswered = • questions without an answer: { $count }
stage-title = <b>{ $stage }</b>: { $count }
stage-none = Nobody is at this stage now: { $stage }
stage-item = {"\u200E"}<b>{ $number }.</b> { $who }
stage-item-since = { $title } · since { $time }
stage-item-flagged = ⚠️ answered very fast or along one column
button-stage-item = { $number }. { $who }
status-picture-title = The last 30 days
status-picture-note = Dark: they are here now. Light: they have passed.
button-drop = Where people stop: { $title }
button-export = Table (CSV)
button-results = Results (CSV)
button-results-of = Only “{ $title }”
results-coming = The results are being collected at the service, behind participants. The table comes when it is whole.
results-caption =
    { $tests ->
        [0] There is no result yet.
        [one] One result, a row a scale; no name, no mobile.
       *[other] { $tests } results, a row a scale; no name, no mobile.
    }
results-missing =
    { $tests ->
        [one] For one test no scores could be had; its row has no scale.
       *[other] For { $tests } tests no scores could be had; their rows have no scale.
    }
results-stopped-key = The service refuses the key, so the table of results is not complete. Please check SERVICE_KEY and ask again.
results-stopped-down = The service has not answered for long, so the table of results is not complete. Please ask again later.
button-audit = Acts of organizers
drop-title = Where people stop: “{ $title }”
drop-caption = In “{ $title }” { $begun } began, { $finished } answered everything.
drop-sample = The newest of the { $count } who began in the last 30 days.
drop-note = Dark: they stopped here. Light: they have passed.
drop-question = Question { $from }
drop-questions = Questions { $from } to { $to }
drop-all = Everything answered
drop-gone = This board is not kept any more. Please ask once more: { $command }
export-caption = What was begun here, a row each; no name, no mobile, no answer.
audit-title = <b>The last acts of organizers</b> (kept for 180 days)
audit-none = No act was noted in the last 180 days.
audit-line = { $time } · <code>{ $who }</code> { $name } · { $what }
audit-line-token = { $time } · <code>{ $who }</code> { $name } · { $what } · { $title } · <code>{ $token }</code>
act =
    .invite = invitation
    .batch = batch of invitations
    .expire = end of an invitation
    .to = recipient of the result
    .revoke = invitation revoked
    .release-same = released for the same person
    .release-other = released for another person
    .send = result sent
    .external-id = external id settled
    .export = CSV table
    .nudge = reminder
    .results = results as CSV
    .received = result received
    .taken-over = taken over by another account
    .withdrawn = somebody had everything deleted
audit-participant = participant
