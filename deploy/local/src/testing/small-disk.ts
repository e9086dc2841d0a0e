import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { throwAwayFolder } from './throw-away-folder.ts'

/** A data folder whose MongoDB lies on a disk of 400 MB; `undefined` where this user may not mount one. */
export function folderOnSmallDisk() {
  const disk = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  onTestFinished(() => rmSync(disk, { recursive: true }))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk], { stdio: 'pipe' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
  const dataDir = throwAwayFolder()
  mkdirSync(join(dataDir, 'data'))
  mkdirSync(join(disk, 'mongodb'))
  symlinkSync(join(disk, 'mongodb'), join(dataDir, 'data', 'mongodb'))
  const filling = join(disk, 'filling')
  return { dataDir, fill: () => fill(filling), giveRoom: () => rmSync(filling, { force: true }) }
}

function fill(file: string): void {
  const block = Buffer.alloc(64 * 1024)
  try {
    for (;;) appendFileSync(file, block)
  } catch {
    // The disk is full.
  }
}
