import { AppError } from '@parley/service-kit/core/errors'
import { translateMongoError } from '@parley/service-kit/data/mongo'

const passing = new Set<string | undefined>(['service_unavailable', 'writes_unavailable'])

/**
 * Whether an error is the database's doing and not the event's, so that trying again helps: it could not be reached, is in no
 * state to write, or others were writing the same. Any other error of the database is the event's fault, and stays.
 */
export const isPassing = (error: unknown): boolean =>
  passing.has((error instanceof AppError ? error : translateMongoError(error))?.code)
