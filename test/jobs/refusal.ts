import { ServiceError, type ServiceErrorCode, serviceErrorCodes } from '../../src/service/errors.ts'

/** A failed call, with the status that it usually has. */
export function refused(
  code: ServiceErrorCode,
  {
    reached = 'yes',
    ...more
  }: Partial<Pick<ServiceError, 'reached' | 'status'>> & { messages?: string[] } = {},
): { error: ServiceError } {
  return { error: new ServiceError(code, { reached, ...more }) }
}

/** All the other ways in which a call can fail. */
export const otherCodes = (...codes: ServiceErrorCode[]): ServiceErrorCode[] =>
  serviceErrorCodes.filter((code) => !codes.includes(code))
