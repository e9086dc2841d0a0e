import mongoose from 'mongoose'

const { MongoBulkWriteError, MongoError, MongoErrorLabel, MongoNetworkError } = mongoose.mongo

/** Names of errors that the driver does not export as classes. */
const outageNames = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongoOperationTimeoutError',
  'MongoWriteConcernError',
])

/**
 * A server that starts, stops, changes its role or does not reach the others. The driver has the same list and does not
 * export it. Source: MongoDB specifications, "Retryable Reads" and "Server Discovery and Monitoring".
 */
const outageCodes = new Set<unknown>([
  6, // HostUnreachable
  7, // HostNotFound
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  251, // NoSuchTransaction: the server has forgotten it
  262, // ExceededTimeLimit
  9001, // SocketException
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
])

const outageLabels = [
  MongoErrorLabel.RetryableWriteError,
  MongoErrorLabel.TransientTransactionError,
  MongoErrorLabel.UnknownTransactionCommitResult,
  MongoErrorLabel.PoolRequestedRetry,
  MongoErrorLabel.RetryableError,
]

/** Codes of a socket's own errors. The driver passes them on unchanged where a command waits to be written. */
const connectionLosses = new Set<unknown>([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

/** True for an error of the connection that the driver has not wrapped, and so has neither labelled nor retried. */
export const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof MongoError) && 'code' in error && connectionLosses.has(error.code)

/**
 * A bulk write gives an error of the driver its own name, and keeps that one's fields: the server's address of a pool that had
 * no connection to give, the reason that no server was found, the code of a socket. The server's own errors have neither.
 */
const isHiddenByBulk = (error: Error): boolean =>
  error instanceof MongoBulkWriteError && ('address' in error || 'reason' in error || connectionLosses.has(error.code))

/** True where the driver could not reach the server, or its state prevented the call: a retry may succeed soon. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (outageNames.has(error.name) || isConnectionLoss(error) || isHiddenByBulk(error)) return true
  // There are more kinds than exported classes: the error of a pool that was cleared during a call is one of them.
  if (error instanceof MongoNetworkError) return true
  // Error of Mongoose for a connection that is not open yet.
  if (error instanceof mongoose.MongooseError) return /before initial connection/.test(error.message)
  return (
    error instanceof MongoError &&
    (outageCodes.has(error.code) || outageLabels.some((label) => error.hasErrorLabel(label)))
  )
}
