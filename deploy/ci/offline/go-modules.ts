import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

/** A module that `go install` refuses because of its replace or exclude lines: it is built from a module of ours that repeats them. */
interface OwnModule {
  readonly path: string
  readonly version: string
  /** The lines to take over. @param goMod the module's own go.mod. */
  readonly carryOver: (goMod: string) => string
  /** Package by the name of its program. */
  readonly programs: Readonly<Record<string, string>>
  readonly versionFlags: readonly string[]
}

const composeVersion = '2.40.3'
/** The plugin `docker compose`, which also runs alone. */
export const composeModule: OwnModule = {
  path: 'github.com/docker/compose/v2',
  version: `v${composeVersion}`,
  carryOver: (goMod) => (goMod.match(/^(?:exclude|replace) (?:\([^)]*\)|[^(\n]+)$/gm) ?? []).join('\n'),
  programs: { 'docker-compose': 'github.com/docker/compose/v2/cmd' },
  versionFlags: [`-X github.com/docker/compose/v2/internal.Version=v${composeVersion}`],
}

const kubernetesVersion = '1.34.4'
/** Kubernetes' own servers and kubectl. Its libraries live in the same repository and are published under version 0. */
export const kubernetesModule: OwnModule = {
  path: 'k8s.io/kubernetes',
  version: `v${kubernetesVersion}`,
  carryOver: (goMod) =>
    [...goMod.matchAll(/^\s*(k8s\.io\/[a-z0-9-]+) => \.\/staging\//gm)]
      .map(([, library]) => `replace ${library} => ${library} v0.${kubernetesVersion.slice('1.'.length)}`)
      .concat(goMod.match(/^godebug (?:\([^)]*\)|.+)$/gm) ?? [])
      .join('\n'),
  programs: Object.fromEntries(
    ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'].map((program) => [
      program,
      `k8s.io/kubernetes/cmd/${program}`,
    ]),
  ),
  versionFlags: ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((variables) => [
    `-X ${variables}.gitVersion=v${kubernetesVersion}`,
    `-X ${variables}.gitMajor=1`,
    `-X ${variables}.gitMinor=${kubernetesVersion.split('.')[1]}`,
  ]),
}

/** Builds all programs of the module into a folder. */
export function buildInOwnModule(module: OwnModule, into: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-go-'))
  const go = (...args: string[]) =>
    execFileSync('go', args, {
      cwd: folder,
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: 'pipe',
      encoding: 'utf8',
    })
  try {
    const { Dir } = z
      .object({ Dir: z.string() })
      .parse(JSON.parse(go('mod', 'download', '-json', `${module.path}@${module.version}`)))
    const goMod = readFileSync(join(Dir, 'go.mod'), 'utf8')
    const goVersion = goMod.match(/^go .+$/m)?.[0] ?? ''
    writeFileSync(
      join(folder, 'go.mod'),
      ['module parley.tools', goVersion, `require ${module.path} ${module.version}`, module.carryOver(goMod), ''].join(
        '\n',
      ),
    )
    const imports = Object.values(module.programs).map((path) => `import _ "${path}"`)
    writeFileSync(join(folder, 'tools.go'), ['//go:build tools', '', 'package tools', '', ...imports, ''].join('\n'))
    go('mod', 'tidy')
    for (const [program, path] of Object.entries(module.programs)) {
      go('build', '-trimpath', '-ldflags', ['-s -w', ...module.versionFlags].join(' '), '-o', join(into, program), path)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Builds a program in a copy of its module: `go install` refuses modules with replace lines. @param folder of its main package. */
export function buildInCopy(module: string, folder: string, into: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'parley-go-'))
  const options = { cwd: copy, env: { ...process.env, CGO_ENABLED: '0' }, stdio: 'pipe', encoding: 'utf8' } as const
  try {
    const { Dir } = z
      .object({ Dir: z.string() })
      .parse(JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], options)))
    cpSync(Dir, copy, { recursive: true })
    // Go keeps its modules read-only.
    execFileSync('chmod', ['-R', 'u+w', copy], options)
    execFileSync('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', into, folder], options)
  } finally {
    rmSync(copy, { recursive: true })
  }
}
