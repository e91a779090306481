import { ServiceError } from '../service/errors.ts'

/** What a refusal by the service says to those who decide what comes next. */
export type Refusal = Pick<ServiceError, 'code' | 'reached' | 'status' | 'messages'>

/** What a call comes to where a refusal is an answer as well. */
export type Answered<T> = { value: T } | { error: Refusal }

/** The service's answer, or its refusal as data; anything else is thrown. */
export async function answered<T>(call: Promise<T>): Promise<Answered<T>> {
  try {
    return { value: await call }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { error }
  }
}
