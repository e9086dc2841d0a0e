import { programPath } from '../tools/folders.ts'
import { type Engine, succeeds } from './command.ts'
import { nodeVersion } from './our-images.ts'

/**
 * The machine's daemon with the upstream images, where it can pull; else a daemon of our own with images made of packages.
 * @returns a sentence why neither is to be had.
 */
export async function openEngine(log: (line: string) => void): Promise<Engine | string> {
  if (!(await canPull())) return (await import('../../offline/engine.ts')).openOfflineEngine(log)
  const nothing = async () => {}
  const what = "the machine's Docker with the upstream images"
  return {
    client: 'docker',
    what,
    isOffline: false,
    env: {},
    inside: [],
    buildArguments: [],
    run: nothing,
    close: nothing,
  }
}

async function canPull(): Promise<boolean> {
  if (!programPath('docker') || !(await succeeds(['docker', 'version']))) return false
  return succeeds(['docker', 'pull', '--quiet', `node:${nodeVersion}-bookworm-slim`])
}
