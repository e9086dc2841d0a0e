import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configSchema as identityProvider } from '@parley/identity-provider/config'
import { configSchema as mail } from '@parley/local/mail/config'
import { configExport, describeProcess, processNames } from '@parley/processes/processes'
import { baseConfigShape } from '@parley/service-kit/core/config'
import { z } from 'zod'

/** Page that this script completes. */
export const pageFile = fileURLToPath(new URL('../environment.md', import.meta.url))

const jsonSchema = z.object({
  properties: z.record(z.string(), z.object({ description: z.string().optional(), default: z.unknown().optional() })),
  required: z.array(z.string()).default([]),
})

const begin = '<!-- processes: written by npm run docs -->'
const end = '<!-- end of processes -->'

interface Variable {
  readonly name: string
  readonly absent: string
  readonly meaning: string
}

/** The page with the variables of the processes as they are now; the other tables are written by hand. */
export async function environmentPage(page: string): Promise<string> {
  const [before, after] = [page.indexOf(begin), page.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`environment.md needs the lines ${begin} and ${end}`)
  const tables = [
    `## Every server process\n\n${table(variablesOf(z.object(baseConfigShape)))}`,
    ...(await processSections()),
    section('Identity provider of the local stack', 'deploy/identity-provider', identityProvider),
    section('Mail catcher of the local stack', 'deploy/local/src/mail', mail),
  ]
  return `${page.slice(0, before)}${begin}\n${tables.join('\n\n')}\n\n${page.slice(after)}`
}

/** One for each package with processes: those of one package share their settings, and the server has the most. */
async function processSections(): Promise<string[]> {
  const byFolder = Map.groupBy(processNames, (name) => describeProcess(name).folder)
  return Promise.all(
    [...byFolder].map(async ([folder, names]) => {
      const exports = configModule.parse(await import(configFile(folder)))
      const shapes = names.map((name) => schemaOfConfig.parse(exports[configExport(name)]).shape)
      const label = names.map((name) => describeProcess(name).label)[0] ?? folder
      return section(label, folder, z.object(Object.assign({}, ...shapes)))
    }),
  )
}
const configFile = (folder: string) => new URL(`../../../${folder}/src/config.ts`, import.meta.url).href
const configModule = z.record(z.string(), z.unknown())
const schemaOfConfig = z.instanceof(z.ZodObject)

function section(title: string, folder: string, schema: z.ZodObject): string {
  const variables = variablesOf(schema).filter(({ name }) => !(name in baseConfigShape))
  return `## ${title} (\`${folder}\`)\n\n${table(variables)}`
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
  const rows = variables.map(({ name, absent, meaning }) =>
    [`\`${name}\``, absent, meaning].map((cell) => cell.replaceAll('|', '\\|')),
  )
  const lines = [['Variable', 'If absent', 'Meaning'], ['---', '---', '---'], ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

if (import.meta.main) {
  const before = readFileSync(pageFile, 'utf8')
  const page = await environmentPage(before)
  writeFileSync(pageFile, page)
  console.log(before === page ? 'environment.md is up to date.' : 'environment.md was written anew.')
}
