import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attempt, binFolder, programPath } from './folders.ts'
import { buildInOwnModule, composeModule, kubernetesModule, kubernetesPrograms, unittestModule } from './go-modules.ts'

const kubernetes = () => buildInOwnModule(kubernetesModule, binFolder)

/** Builders of the programs from Go's module registry, whose sums Go checks. */
const goPrograms = {
  helm: install('helm.sh/helm/v4/cmd/helm@v4.3.1'),
  kubeconform: install('github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0'),
  'helm-unittest': () => buildInOwnModule(unittestModule, binFolder),
  k6: install('go.k6.io/k6@v1.8.1'),
  kwok: install('sigs.k8s.io/kwok/cmd/kwok@v0.7.0'),
  kwokctl: install('sigs.k8s.io/kwok/cmd/kwokctl@v0.7.0'),
  // An S3 server that keeps its objects as files.
  versitygw: install('github.com/versity/versitygw/cmd/versitygw@v1.8.0'),
  'docker-compose': () => buildInOwnModule(composeModule, binFolder),
  'kube-apiserver': kubernetes,
  'kube-controller-manager': kubernetes,
  'kube-scheduler': kubernetes,
  kubectl: kubernetes,
}

function install(module: string) {
  return (program: string) => {
    // Built beside its place, so that an interrupted build is never found.
    const folder = mkdtempSync(join(binFolder, '.building-'))
    try {
      execFileSync('go', ['install', '-trimpath', '-ldflags', '-s -w', module], {
        env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
        stdio: 'pipe',
      })
      renameSync(join(folder, program), join(binFolder, program))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

/** Builds that take five to fifteen minutes, only on request. Each of the others takes one to three minutes of both cores. */
const slow: readonly string[] = [...kubernetesPrograms, 'kwok', 'kwokctl']

/** Builds what is missing, once a machine; the slow ones with `--full`. @returns why it cannot be had. */
export function goTool(program: keyof typeof goPrograms): string | undefined {
  if (programPath(program)) return undefined
  const missing = `no ${program} on the PATH or in ${binFolder}`
  if (slow.includes(program) && !process.argv.includes('--full')) return `${missing}; --full builds it with Go`
  if (!programPath('go')) return `${missing}, and no Go to build it`
  console.log(`  building ${program}`)
  mkdirSync(binFolder, { recursive: true })
  return attempt(missing, () => goPrograms[program](program))
}

/** Finds promtool, which comes with Debian's package of Prometheus. @returns the reason where it is unavailable. */
export function promtool(): string | undefined {
  if (programPath('promtool')) return undefined
  const missing = `no promtool on the PATH or in ${binFolder}`
  if (!programPath('apt-get') || !programPath('dpkg')) return `${missing}, and no apt-get to obtain it`
  const cwd = mkdtempSync(join(tmpdir(), 'parley-promtool-'))
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd, stdio: 'pipe' })
  try {
    return attempt(missing, () => {
      // A machine whose lists are old, or were never fetched, knows no such package.
      if (attempt('', () => run('apt-get', 'download', 'prometheus'))) {
        run('apt-get', 'update', '-qq')
        run('apt-get', 'download', 'prometheus')
      }
      const [file = ''] = readdirSync(cwd)
      run('dpkg', '-x', file, cwd)
      mkdirSync(binFolder, { recursive: true })
      run('install', 'usr/bin/promtool', binFolder)
    })
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
