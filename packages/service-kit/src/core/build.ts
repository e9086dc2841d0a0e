import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Manifest of the repository; images have it in the same place. */
const manifest = join(import.meta.dirname, '../../../../package.json')

/** Version of Parley whose code this process has loaded. Read at its start: an update replaces the file below a process that runs. */
export const parleyVersion = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).version
