import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from '../paths.ts'
import { attempt, programPath, toolsCache, toolsPath } from './folders.ts'

const requirements = join(root, 'deploy/ci/schemathesis/requirements.txt')
const version = /^schemathesis==(\S+)$/m.exec(readFileSync(requirements, 'utf8'))?.[1]
const folder = join(toolsCache, `schemathesis-${version}`)

/** Environment of its processes: finds the program and its packages, which stand beside those of the machine. */
export const schemathesisEnvironment = {
  PATH: [join(folder, 'bin'), toolsPath].join(delimiter),
  PYTHONPATH: folder,
}

/** Schemathesis, which makes calls from an OpenAPI document, from Python's package registry. @returns why it cannot be had. */
export function schemathesis(): string | undefined {
  if (existsSync(folder)) return undefined
  const missing = `no Schemathesis in ${folder}`
  if (!programPath('pip')) return `${missing}, and no pip to obtain it`
  console.log('  installing schemathesis')
  const part = `${folder}.part`
  return attempt(missing, () => {
    rmSync(part, { recursive: true, force: true })
    const packages = ['--no-deps', '--only-binary', ':all:', '--requirement', requirements]
    execFileSync('pip', ['install', '--quiet', '--target', part, ...packages], { stdio: 'pipe' })
    renameSync(part, folder)
  })
}
