import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Refusal } from './refusal.ts'

/** Raised when an archive is written that older code must not read. */
export const format = 1

const collectionSchema = z.object({
  name: z.string().min(1).max(255),
  file: z.string().regex(/^[\w.-]+\.bson\.gz$/),
  documents: z.number().int().min(0),
  /** Of the file as it lies there, compressed. */
  sha256: z.string().length(64),
  sizeBytes: z.number().int().min(0),
  /** As the server lists them, in extended JSON. */
  options: z.record(z.string(), z.unknown()),
  indexes: z.array(z.record(z.string(), z.unknown())).max(64),
})
export type SavedCollection = z.infer<typeof collectionSchema>

const manifestSchema = z.object({
  format: z.literal(format),
  database: z.string(),
  /** ISO 8601. */
  takenAt: z.string(),
  serverVersion: z.string(),
  collections: z.array(collectionSchema).max(1000),
})
export type Manifest = z.infer<typeof manifestSchema>

const fileName = 'manifest.json'
const sumName = 'manifest.json.sha256'
const sumOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Written last: an archive without it is not one. @returns its SHA-256, which is worth keeping elsewhere. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeFile(join(folder, fileName), text, { mode: 0o600 })
  await writeFile(join(folder, sumName), `${sumOf(text)}  ${fileName}\n`, { mode: 0o600 })
  return sumOf(text)
}

/** @throws Refusal where there is none, it was changed, or newer code has written it. */
export async function readManifest(folder: string): Promise<Manifest> {
  const [text, sum] = await Promise.all([fileName, sumName].map((name) => readFile(join(folder, name), 'utf8'))).catch(
    () => {
      throw new Refusal(`${folder} is no backup, or not a whole one: it lacks ${fileName} or ${sumName}.`)
    },
  )
  if (text === undefined || sum?.split(' ')[0] !== sumOf(text))
    throw new Refusal(`${fileName} is not what the backup has written.`)
  const value: unknown = parseJson(text)
  const written = z.object({ format: z.number() }).safeParse(value)
  if (written.success && written.data.format > format)
    throw new Refusal(
      `The backup has format ${written.data.format}; this version reads ${format} only. Use newer code.`,
    )
  const manifest = manifestSchema.safeParse(value)
  if (!manifest.success) throw new Refusal(`${fileName} is not one that this version can read.`)
  return manifest.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
