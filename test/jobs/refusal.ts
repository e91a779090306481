import { ServiceError, type ServiceErrorCode, serviceErrorCodes } from '../../src/service/errors.ts'

/** A failed call, by default as one that reached the service. */
export function refused(
  code: ServiceErrorCode,
  {
    reached = 'yes',
    ...more
  }: Partial<Pick<ServiceError, 'reached' | 'status'>> & { messages?: string[] } = {},
): { error: ServiceError } {
  return { error: new ServiceError(code, { reached, ...more }) }
}

/** All other codes with which a call can fail. */
export const otherCodes = (...codes: ServiceErrorCode[]): ServiceErrorCode[] =>
  serviceErrorCodes.filter((code) => !codes.includes(code))
