import type { Person } from '../domain/profile.ts'
import type { Translate } from '../texts/texts.ts'

/** Whose details are asked: a line above the question, only where there are several people. */
export const whose = (t: Translate, { role }: Person): string[] =>
  role ? [t('profile-role', { role: role.title })] : []
