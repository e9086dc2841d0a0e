import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { deployedNames } from '@parley/processes/processes'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { root } from '../paths.ts'

export const chartFolder = join(root, 'helm/parley')
/** One values file for each feature of the chart. */
export const examples = globSync('*-values.yaml', { cwd: join(chartFolder, 'ci') }).sort()
/** Processes that an example deploys: a further cell has only its own. */
export const deployedBy = (example: string) =>
  deployedNames.filter((name) => example !== 'cell-values.yaml' || /^(messaging|automation)/.test(name))
export const exampleFile = (name: string) => join(chartFolder, 'ci', `${name}-values.yaml`)

const envSchema = z
  .object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown() })
  .partial({ valueFrom: true })
export const podSpecSchema = z.looseObject({
  automountServiceAccountToken: z.boolean().optional(),
  terminationGracePeriodSeconds: z.number().optional(),
  containers: z.array(
    z.looseObject({
      name: z.string(),
      image: z.string(),
      env: z.array(envSchema).default([]),
      lifecycle: z.unknown().optional(),
    }),
  ),
})
const manifestSchema = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()).default({}),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.looseObject({}).optional(),
  data: z.record(z.string(), z.string()).optional(),
  stringData: z.record(z.string(), z.string()).optional(),
})
export type Manifest = z.infer<typeof manifestSchema>

/** Runs a program to its end. Its output is both streams together. */
export function run(program: string, args: readonly string[], input = ''): { code: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return { code: status, output: error ? error.message : `${stdout}${stderr}` }
}

/** `helm template` as text. @throws with Helm's message where it refuses. */
export function renderText(values: string, sets: readonly string[] = [], chart = chartFolder): string {
  const args = ['template', 'try', chart, '--namespace', 'demo', '--values', values]
  for (const set of sets) args.push('--set', set)
  const { code, output } = run('helm', args)
  if (code !== 0) throw new Error(output)
  return output
}

/** The objects of the chart with the values of an example, and more. */
export function render(example: string, sets: readonly string[] = []): Manifest[] {
  return parseManifests(renderText(exampleFile(example), sets))
}

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const value: unknown = document.toJS()
    return value === null ? [] : [manifestSchema.parse(value)]
  })
}

export const ofKind = (manifests: readonly Manifest[], kind: string) => manifests.filter((one) => one.kind === kind)

/** The object of a kind by the end of its name. @throws where there is none. */
export function find(manifests: readonly Manifest[], kind: string, suffix: string): Manifest {
  const found = ofKind(manifests, kind).find(({ metadata }) => metadata.name.endsWith(suffix))
  if (!found) throw new Error(`no ${kind} whose name ends in ${suffix}`)
  return found
}

const templateSchema = z.object({ template: z.object({ spec: podSpecSchema }) })

/** The pods that the objects would start, by the name of the object. */
export function podsOf(manifests: readonly Manifest[]): { name: string; pod: z.infer<typeof podSpecSchema> }[] {
  return manifests.flatMap(({ kind, metadata: { name }, spec }) => {
    if (kind === 'Pod') return [{ name, pod: podSpecSchema.parse(spec) }]
    if (kind === 'Deployment' || kind === 'Job') return [{ name, pod: templateSchema.parse(spec).template.spec }]
    return []
  })
}
