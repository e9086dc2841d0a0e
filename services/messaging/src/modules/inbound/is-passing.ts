import { AppError } from '@parley/service-kit/core/errors'
import { translateMongoError } from '@parley/service-kit/data/mongo'

const passing = new Set<string | undefined>(['service_unavailable', 'writes_unavailable'])

/**
 * Returns whether the database and not the event caused an error, so that a retry helps: it was unreachable, in no state to
 * write, or had a write conflict. Any other database error is the event's fault, and permanent.
 */
export const isPassing = (error: unknown): boolean =>
  passing.has((error instanceof AppError ? error : translateMongoError(error))?.code)
