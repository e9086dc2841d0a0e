import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const replacedAndExcluded = (goMod: string) =>
  (goMod.match(/^(?:exclude|replace) (?:\([^)]*\)|[^(\n]+)$/gm) ?? []).join('\n')

export const unittestModule: OwnModule = {
  path: 'github.com/helm-unittest/helm-unittest',
  version: 'v1.1.2',
  carryOver: replacedAndExcluded,
  programs: { 'helm-unittest': 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest' },
  versionFlags: [],
}

const composeVersion = 'v2.40.3'
/** The plugin `docker compose`, which also runs alone. */
export const composeModule: OwnModule = {
  path: 'github.com/docker/compose/v2',
  version: composeVersion,
  carryOver: replacedAndExcluded,
  programs: { 'docker-compose': 'github.com/docker/compose/v2/cmd' },
  versionFlags: [`-X github.com/docker/compose/v2/internal.Version=${composeVersion}`],
}

const kubernetesVersion = '1.34.4'
export const kubernetesPrograms = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const
/** Kubernetes' own servers and kubectl. Its libraries live in the same repository and are published under version 0. */
export const kubernetesModule: OwnModule = {
  path: 'k8s.io/kubernetes',
  version: `v${kubernetesVersion}`,
  carryOver: (goMod) =>
    [...goMod.matchAll(/^\s*(k8s\.io\/[a-z0-9-]+) => \.\/staging\//gm)]
      .map(([, library]) => `replace ${library} => ${library} v0.${kubernetesVersion.slice('1.'.length)}`)
      .concat(goMod.match(/^godebug (?:\([^)]*\)|.+)$/gm) ?? [])
      .join('\n'),
  programs: Object.fromEntries(kubernetesPrograms.map((program) => [program, `k8s.io/kubernetes/cmd/${program}`])),
  versionFlags: ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((variables) => [
    `-X ${variables}.gitVersion=v${kubernetesVersion}`,
    `-X ${variables}.gitMajor=1`,
    `-X ${variables}.gitMinor=${kubernetesVersion.split('.')[1]}`,
  ]),
}

/** Builds all programs of the module into a folder. */
export function buildInOwnModule({ path, version, ...module }: OwnModule, into: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-go-'))
  const env = { ...process.env, CGO_ENABLED: '0' }
  const go = (...args: string[]) => execFileSync('go', args, { cwd: folder, env, stdio: 'pipe', encoding: 'utf8' })
  try {
    const downloaded: unknown = JSON.parse(go('mod', 'download', '-json', `${path}@${version}`))
    const goMod = readFileSync(join(z.object({ Dir: z.string() }).parse(downloaded).Dir, 'go.mod'), 'utf8')
    const goVersion = goMod.match(/^go .+$/m)?.[0] ?? ''
    const moduleLines = ['module parley.tools', goVersion, `require ${path} ${version}`, module.carryOver(goMod), '']
    writeFileSync(join(folder, 'go.mod'), moduleLines.join('\n'))
    const imports = Object.values(module.programs).map((program) => `import _ "${program}"`)
    writeFileSync(join(folder, 'tools.go'), ['//go:build tools', '', 'package tools', '', ...imports, ''].join('\n'))
    go('mod', 'tidy')
    const flags = ['-trimpath', '-ldflags', ['-s -w', ...module.versionFlags].join(' ')]
    for (const [name, program] of Object.entries(module.programs))
      go('build', ...flags, '-o', join(into, name), program)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
