import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unknownObject } from '../graph/graph-error.ts'
import type { Media } from '../records.ts'
import type { World } from '../world.ts'

const dayMs = 24 * 3600_000
const lifeMs = { business: 30 * dayMs, customer: 7 * dayMs }
const addressLifeMs = 5 * 60_000

interface NewMedia {
  readonly bytes: Buffer
  readonly type: string
  readonly name: string | null
}

/** Stores files that were uploaded by the business or sent by customers, and their addresses of five minutes. */
export function createMedia(world: World, folder: string) {
  mkdirSync(folder, { recursive: true })
  const pathOf = (id: string) => join(folder, id)

  function keep(numberId: string, { bytes, type, name }: NewMedia, from: Media['from']): Media {
    const media: Media = {
      id: world.random.digits(16),
      numberId,
      mimeType: type,
      sha256: createHash('sha256').update(bytes).digest('base64'),
      sizeBytes: bytes.length,
      fileName: name,
      from,
      createdAt: world.clock.now(),
    }
    writeFileSync(pathOf(media.id), bytes)
    return world.media.put(media.id, media)
  }

  /** @returns the file, unless it is unknown or has expired. */
  function live(id: string): Media | undefined {
    const media = world.media.get(id)
    return media && media.createdAt + lifeMs[media.from] > world.clock.now() ? media : undefined
  }

  /** @throws GraphError 100/33 for a file that is not there any more. */
  function describe(id: string, origin: string) {
    const media = live(id)
    if (!media) throw unknownObject(id)
    return {
      messaging_product: 'whatsapp',
      url: addressOf(media, origin),
      mime_type: media.mimeType,
      sha256: Buffer.from(media.sha256, 'base64').toString('hex'),
      file_size: media.sizeBytes,
      id: media.id,
    }
  }

  const addressOf = ({ id }: Media, origin: string) =>
    `${origin}/v26.0/lookaside/${id}?until=${world.clock.now() + addressLifeMs}`

  function remove(id: string): void {
    world.media.remove(id)
    rmSync(pathOf(id), { force: true })
  }

  return { keep, live, describe, addressOf, remove, bytes: ({ id }: Media) => readFileSync(pathOf(id)) }
}
