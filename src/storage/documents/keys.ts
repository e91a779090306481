import type { Vault } from '../vault.ts'

/** What a record or roadmap is kept under: nothing of its token follows from it. */
export const tokenKey = (vault: Pick<Vault, 'hash'>, token: string): string => vault.hash('token', token)

/** What an invitation is kept under. */
export const codeKey = (vault: Pick<Vault, 'hash'>, code: string): string => vault.hash('invitation', code)
