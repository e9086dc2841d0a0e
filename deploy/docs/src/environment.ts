import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configSchema as bff } from '@parley/bff/config'
import { configSchema as identity } from '@parley/identity/config'
import { configSchema as identityProvider } from '@parley/identity-provider/config'
import { configSchema as mail } from '@parley/local/mail/config'
import { configSchema as profile } from '@parley/profile/config'
import { baseConfigShape } from '@parley/service-kit/core/config'
import { z } from 'zod'
import { frontendVariables, launcherVariables, loadVariables, testVariables, type Variable } from './other-variables.ts'

/** What this script writes. */
export const pageFile = fileURLToPath(new URL('../environment.md', import.meta.url))

const jsonSchema = z.object({
  properties: z.record(z.string(), z.object({ description: z.string().optional(), default: z.unknown().optional() })),
  required: z.array(z.string()).default([]),
})

/** Every environment variable of every process, as Markdown. */
export function environmentPage(): string {
  return `${[
    '# Environment variables',
    'Written by `npm run docs` from the schemas by which the processes check their environment (`config.ts` of each). A process ' +
      'that misses a required variable, or gets a wrong one, does not start and names every fault at once. An empty variable ' +
      'counts as absent. No secret has a default.',
    '`npm start` sets all of them for the processes that it starts; you set only what the first table lists, and nothing of it is ' +
      'needed.',
    '## `npm start` and `npm run doctor`',
    table(launcherVariables),
    '## Every server process',
    table(variablesOf(z.object(baseConfigShape))),
    section('BFF', 'bff', bff),
    section('Profile service', 'services/profile', profile),
    section('Identity service', 'services/identity', identity),
    section('Identity provider of the local stack', 'deploy/identity-provider', identityProvider),
    section('Mail catcher of the local stack', 'deploy/local/src/mail', mail),
    '## Frontend',
    table(frontendVariables),
    '## Tests',
    table(testVariables),
    '## Load tests',
    table(loadVariables),
  ].join('\n\n')}\n`
}

function section(title: string, folder: string, schema: z.ZodObject): string {
  const own = variablesOf(schema).filter(({ name }) => !(name in baseConfigShape))
  return `## ${title} (\`${folder}\`)\n\n${table(own)}`
}

/** @throws Error naming the variables whose meaning is not described. */
export function variablesOf(schema: z.ZodObject): Variable[] {
  const { properties, required } = jsonSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  const silent = Object.keys(properties).filter((name) => !properties[name]?.description)
  if (silent.length > 0) throw new Error(`add .describe() to ${silent.join(', ')}`)
  return Object.entries(properties).map(([name, { description = '', default: fallback }]) => ({
    name,
    absent: required.includes(name) ? 'required' : describeDefault(fallback),
    meaning: description,
  }))
}

function describeDefault(fallback: unknown): string {
  if (fallback === undefined || fallback === '') return 'off'
  return `\`${fallback}\``
}

function table(variables: readonly Variable[]): string {
  const rows = variables.map(({ name, absent, meaning }) => {
    const names = name.split(', ').map((one) => `\`${one}\``)
    return [names.join(', '), absent, meaning].map((cell) => cell.replaceAll('|', '\\|'))
  })
  const lines = [['Variable', 'If absent', 'Meaning'], ['---', '---', '---'], ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

if (import.meta.main) {
  const page = environmentPage()
  const before = readFileSync(pageFile, { encoding: 'utf8', flag: 'a+' })
  writeFileSync(pageFile, page)
  console.log(before === page ? 'environment.md is up to date.' : 'environment.md was written anew.')
}
