import { z } from 'zod'

/** An http(s) URL without a trailing slash. */
export const httpUrlSchema = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((url) => url.replace(/\/+$/, ''))

/** An origin: scheme, host and port, nothing after. */
export const originSchema = httpUrlSchema.refine((url) => URL.canParse(url) && new URL(url).origin === url, {
  error: 'must be an origin such as https://app.example.com, without a path',
})

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Settings that every process has. */
export const baseConfigShape = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production').describe('How the process runs.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Least severe log line that is written.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  PORT: z.coerce.number().int().min(0).max(65535).describe('Port to listen on; 0 takes a free one.'),
  // The standard variables of OpenTelemetry which are checked at start; its library reads the others by itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrlSchema
    .optional()
    .describe('Where traces go, by OTLP over HTTP: http://collector:4318. Nothing is traced without.'),
  OTEL_TRACES_SAMPLER: z.enum(samplers).optional().describe('Which requests are traced; all of them where absent.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional().describe('Share of them, for a ratio.'),
}

/** Thrown by {@link parseConfig}; its message names every setting that is missing or wrong, and no value. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The environment is not complete:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Reads a process's settings from its environment, once, at start. An empty variable counts as absent.
 * @throws ConfigError with one line for each setting that is missing or wrong. Values are never quoted: they may be secrets.
 */
export function parseConfig<T extends z.ZodObject>(schema: T, env: NodeJS.ProcessEnv): z.infer<T> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(present)
  if (result.success) return result.data
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const name = issue.path[0] === undefined ? 'environment' : String(issue.path[0])
      return present[name] === undefined && name in schema.shape ? `${name} is missing` : `${name}: ${issue.message}`
    }),
  )
}

/** A MongoDB URL that names the database. */
export const mongodbUrlSchema = z
  .string()
  .regex(/^mongodb(\+srv)?:\/\/[^/]+\/[\w-]+/, 'must be a mongodb URL that names a database')
  .describe('MongoDB, with the database name.')

/** Settings of every process with a database. */
export const mongodbConfigShape = {
  MONGODB_URL: mongodbUrlSchema,
  MONGODB_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(5)
    .max(500)
    .default(50)
    .describe('Connections to each member of the replica set that the process opens at most.'),
}

/** A bucket of a store that speaks S3, as one address: `https://key:secret@host/bucket?region=eu-central-1`. */
export const s3UrlSchema = z
  .url({ protocol: /^https?$/, error: 'must be an address like https://key:secret@host/bucket' })
  .transform((address, issues) => {
    const { origin, pathname, username, password, searchParams } = new URL(address)
    const [bucket = '', ...prefix] = pathname.split('/').filter((part) => part !== '')
    if (!/^[a-z0-9][a-z0-9.-]{2,62}$/.test(bucket)) issues.addIssue('must name a bucket behind the host')
    if ((username === '') !== (password === '')) issues.addIssue('must have both a key and its secret, or none')
    return {
      endpoint: origin,
      bucket,
      prefix: prefix.map((part) => `${part}/`).join(''),
      region: searchParams.get('region') ?? 'us-east-1',
      ...(username !== '' && {
        credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
      }),
    }
  })
