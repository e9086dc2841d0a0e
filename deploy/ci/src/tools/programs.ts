import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildInCopy, buildInOwnModule, composeModule, kubernetesModule } from '../../offline/go-modules.ts'
import { root } from '../paths.ts'
import { attempt } from './attempt.ts'
import { binFolder, programPath } from './folders.ts'

/** How each program comes from Go's module registry, whose sums Go checks. */
const goPrograms = {
  helm: install('helm.sh/helm/v4/cmd/helm@v4.3.1'),
  kubeconform: install('github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0'),
  'helm-unittest': (program: string) =>
    buildInCopy('github.com/helm-unittest/helm-unittest@v1.1.2', './cmd/helm-unittest', join(binFolder, program)),
  k6: install('go.k6.io/k6@v1.8.1'),
  otelcol: buildCollector,
  kwok: install('sigs.k8s.io/kwok/cmd/kwok@v0.7.0'),
  'toxiproxy-server': install('github.com/Shopify/toxiproxy/v2/cmd/server@v2.5.0', 'server'),
  // An S3 server that keeps its objects as files.
  versitygw: install('github.com/versity/versitygw/cmd/versitygw@v1.8.0'),
  'docker-compose': () => buildInOwnModule(composeModule, binFolder),
  'kube-apiserver': () => buildInOwnModule(kubernetesModule, binFolder),
  'kube-controller-manager': () => buildInOwnModule(kubernetesModule, binFolder),
  'kube-scheduler': () => buildInOwnModule(kubernetesModule, binFolder),
  kubectl: () => buildInOwnModule(kubernetesModule, binFolder),
}

/** The OpenTelemetry collector with the few parts that compose uses; the upstream image holds the same. */
function buildCollector(program: string): void {
  const draft = join(binFolder, `.building-${program}`)
  execFileSync('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', draft, '.'], {
    cwd: join(root, 'deploy/ci/offline/images/otel-collector'),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'pipe',
  })
  renameSync(draft, join(binFolder, program))
}

/** @param called the name that `go install` gives the program, where it is not ours. */
function install(module: string, called?: string) {
  return (program: string) => {
    // Built beside, so that a program that was cut off is never found.
    const folder = mkdtempSync(join(binFolder, '.building-'))
    try {
      execFileSync('go', ['install', '-trimpath', '-ldflags', '-s -w', module], {
        env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
        stdio: 'pipe',
      })
      renameSync(join(folder, called ?? program), join(binFolder, program))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

/** Five minutes to a quarter of an hour: only for those who ask. Each of the others takes a minute or three of both cores. */
const slow: readonly string[] = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
  'otelcol',
]

/** Builds what is missing, once a machine. @param full the slow ones too. @returns why it cannot be had. */
export function goTool(program: keyof typeof goPrograms, full = false): string | undefined {
  if (programPath(program)) return undefined
  const missing = `no ${program} on the PATH or in ${binFolder}`
  if (!full && slow.includes(program)) return `${missing}; --full builds it with Go`
  if (!programPath('go')) return `${missing}, and no Go to build it`
  console.log(`  building ${program}`)
  mkdirSync(binFolder, { recursive: true })
  return attempt(missing, () => goPrograms[program](program))
}

/** promtool comes with Debian's package of Prometheus. @returns why it cannot be had. */
export function promtool(): string | undefined {
  if (programPath('promtool')) return undefined
  const missing = `no promtool on the PATH or in ${binFolder}`
  if (!programPath('apt-get') || !programPath('dpkg')) return `${missing}, and no apt-get to obtain it`
  const folder = mkdtempSync(join(tmpdir(), 'parley-promtool-'))
  try {
    return attempt(missing, () => {
      const download = () => execFileSync('apt-get', ['download', 'prometheus'], { cwd: folder, stdio: 'pipe' })
      // A machine whose lists are old, or were never fetched, knows no such package.
      if (attempt('', download)) {
        execFileSync('apt-get', ['update', '-qq'], { stdio: 'pipe' })
        download()
      }
      const [file = ''] = readdirSync(folder)
      execFileSync('dpkg', ['-x', file, folder], { cwd: folder, stdio: 'pipe' })
      mkdirSync(binFolder, { recursive: true })
      execFileSync('install', [join(folder, 'usr/bin/promtool'), binFolder], { stdio: 'pipe' })
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
