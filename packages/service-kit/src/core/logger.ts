import { type Logger, pino, type StreamEntry } from 'pino'
import sonicBoom from 'sonic-boom'

export type { Logger }

const flushMs = 250
/** Maximum bytes of lines that could not be written yet; lines beyond that are lost. */
const maxBacklogBytes = 1024 * 1024
const lastWriteMs = 1000

/** Fields that may hold a secret wherever they turn up; their value never reaches a log line. */
const secretFields = [
  'password',
  'authorization',
  'cookie',
  'token',
  'secret',
  'id_token',
  'access_token',
  'refresh_token',
]

/**
 * A structured logger: one JSON line an event, with the process's name. Errors are written without the properties that
 * libraries hang on them (they may hold request bodies).
 */
export function createLogger(options: {
  name: string
  level: string
  destination?: StreamEntry['stream']
  /** Returns fields that are added to each line. */
  fieldsOfEveryLine?: () => object
}): Logger {
  return pino(
    {
      name: options.name,
      level: options.level,
      base: { process: options.name },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
      serializers: { err: describeError },
      ...(options.fieldsOfEveryLine && { mixin: options.fieldsOfEveryLine }),
    },
    options.destination ?? standardOutput(),
  )
}

let opened: ReturnType<typeof openStandardOutput> | undefined

function standardOutput() {
  opened ??= openStandardOutput()
  return opened
}

/**
 * Standard output, written to by many lines at once: a write of its own for each was a fifth of what a small request costs.
 * A line waits for {@link flushMs} at most, and what waits at exit is written then; only SIGKILL loses it.
 * If output cannot be written (a full disk, a reader that has stopped or is gone) the process continues: lines wait in memory up
 * to {@link maxBacklogBytes} and are written once there is room. At exit a reader that has stopped gets
 * {@link lastWriteMs}; whatever else fails then ends the log, never the end of the process.
 */
function openStandardOutput() {
  let deadline = Number.POSITIVE_INFINITY
  const output = new sonicBoom.SonicBoom({
    fd: process.stdout.fd,
    sync: false,
    minLength: 8192,
    maxLength: maxBacklogBytes,
    periodicFlush: flushMs,
    retryEAGAIN: () => performance.now() < deadline,
  })
  // The next flush tries again.
  output.on('error', () => {})
  process.once('exit', () => {
    deadline = performance.now() + lastWriteMs
    try {
      output.flushSync()
    } catch {
      // The process ends: the error cannot be reported.
    }
  })
  return output
}

/** Returns type, message, code, stack and cause of an error: all that a log may hold. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return {
    type: name,
    message,
    ...(code !== undefined && { code }),
    stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}
