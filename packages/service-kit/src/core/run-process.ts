import { drainSeconds } from '@parley/processes/stop'
import closeWithGrace from 'close-with-grace'
import type { z } from 'zod'
import { ConfigError, parseConfig } from './config.ts'
import { createLogger, type Logger } from './logger.ts'
import type { Tracing } from './open-telemetry.ts'
import { startTracing } from './tracing.ts'

/** State that processes in one Node process share. */
interface Host {
  /** Environment of the one that is starting. */
  environment: NodeJS.ProcessEnv
  readonly stops: (() => Promise<void>)[]
  tracing?: Tracing | undefined
}
let host: Host | undefined

/** A process whose start file runs in this Node process. */
export interface HostedProcess {
  /** URL of its start file. */
  readonly entry: string
  readonly environment: NodeJS.ProcessEnv
}

/**
 * Runs several processes as one, each with its environment and its own ports: one heap, and one copy of the code. They start one after
 * the other, share one trace service, and stop within {@link drainSeconds}, the last that started first. A start that fails,
 * or an unexpected error in one, ends all.
 */
export async function hostProcesses(name: string, hosted: readonly HostedProcess[]): Promise<void> {
  host = { environment: {}, stops: [] }
  const { stops } = host
  for (const { entry, environment } of hosted) {
    host.environment = environment
    await import(entry)
  }
  const logger = loggerOf(name, process.env)
  stopOnSignal(logger, async () => {
    const [last, ...others] = stops.toReversed()
    await last?.()
    await Promise.all(others.map((stop) => stop()))
    await host?.tracing?.stop()
  })
}

/**
 * The life of a server process: settings → start → wait for a signal → stop, the mirror image of start, within {@link drainSeconds}.
 * A bad environment or a failed start ends it with exit code 1 and one message.
 * @param start listens and returns what stops the process. What it depends on need not be there yet; where it turns out
 * that waiting is no use, `giveUp` ends the process as a failed start does.
 */
export async function runProcess<T extends z.ZodObject>(options: {
  name: string
  schema: T
  start: (config: z.infer<T>, logger: Logger, giveUp: (error: unknown) => void) => Promise<() => Promise<void>>
}): Promise<void> {
  const config = readConfig(options)
  const tracing = host?.tracing ?? (await startTracingOf(options.name, config))
  const logger = loggerOf(options.name, config, tracing)
  const giveUp = (error: unknown): never => {
    logger.fatal({ err: explainListenError(error, config) }, 'could not start')
    logger.flush()
    process.exit(1)
  }
  const stop = await options.start(config, logger, giveUp).catch(giveUp)
  if (host) {
    host.tracing = tracing
    host.stops.push(stop)
    return
  }
  stopOnSignal(logger, async () => {
    await stop()
    await tracing?.stop()
  })
}

const startTracingOf = (name: string, config: Record<string, unknown>): Promise<Tracing | undefined> =>
  startTracing({
    name: host ? 'one' : name,
    endpoint: config['OTEL_EXPORTER_OTLP_ENDPOINT'],
    onFailure: () => loggerOf(name, config).warn('traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT'),
  })

function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  closeWithGrace({ delay: drainSeconds * 1000 }, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'stopping after an unexpected error')
    else logger.info({ signal }, 'stopping')
    await stop()
    logger.flush()
  })
}

/**
 * The life of a command that ends by itself: settings → work → exit code 0. A bad environment or a failure ends it with exit
 * code 1 and one message. What `work` opens it closes itself. Its lines are its answer: LOG_LEVEL of the pod silences none of level info.
 */
export async function runCommand<T extends z.ZodObject>(options: {
  name: string
  schema: T
  work: (config: z.infer<T>, logger: Logger) => Promise<void>
}): Promise<void> {
  const config = readConfig(options)
  const logger = loggerOf(options.name, config)
  if (!logger.isLevelEnabled('info')) logger.level = 'info'
  await options.work(config, logger).catch((error: unknown) => {
    logger.fatal({ err: error }, 'failed')
    process.exitCode = 1
  })
  logger.flush()
}

function loggerOf(name: string, config: Record<string, unknown>, tracing?: Tracing): Logger {
  const level = typeof config['LOG_LEVEL'] === 'string' ? config['LOG_LEVEL'] : 'info'
  return createLogger({ name, level, ...(tracing && { fieldsOfEveryLine: tracing.logFields }) })
}

function readConfig<T extends z.ZodObject>(options: { name: string; schema: T }): z.infer<T> {
  try {
    return parseConfig(options.schema, host?.environment ?? process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`parley ${options.name} cannot start. ${error.message}\n`)
    process.exit(1)
  }
}

/**
 * Explains why a port could not be opened, in a sentence that names the port, its variable and what to do. Any other error is
 * returned unchanged. There is no retry here: a process that cannot listen cannot report that it waits, and what started it
 * (Docker, Kubernetes, the launcher) restarts it with growing pauses anyway.
 * @param config the process's settings; those that are called PORT or end in _PORT are its ports.
 */
export function explainListenError(error: unknown, config: Record<string, unknown>): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return error
  const names = Object.keys(config).filter((name) => /(^|_)PORT$/.test(name) && config[name] === error.port)
  const port = `port ${error.port} of ${config['HOST']} (${names.join(' and ')})`
  const sentence = sentences[String(error.code)]?.(port, Number(error.port))
  return sentence ? new Error(sentence, { cause: error }) : error
}

const sentences: Record<string, (port: string, number: number) => string> = {
  EADDRINUSE: (port, number) =>
    `${port} is in use by another program: stop that one (ss -ltnp 'sport = :${number}' shows which it is), or choose another port`,
  EACCES: (port) => `${port} may not be opened by this user: choose one above 1023`,
  EADDRNOTAVAIL: (port) => `${port} cannot be opened: HOST is not an address of this machine`,
}
