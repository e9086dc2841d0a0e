import { buffer } from 'node:stream/consumers'
import { ChildFailure, type OpenSource, runInChild } from '@parley/service-kit/core/run-in-child'
import { z } from 'zod'

/** Takes some 30 MB to decode, whatever its coding. Phones send pictures of two million. */
const maxPixelsHere = 4_000_000
/** Limit of the media store. */
const maxPixels = 50_000_000
/** A picture whose pixels all have to be known at once may need more: it has no thumbnail. */
const maxMemoryMib = 256
const timeoutMs = 60_000

/** The end of the latest picture that was begun. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Makes a picture small, one after the other; large ones in a process of their own, with a limit of memory.
 * @param open reads the picture once it is its turn. @returns undefined where it cannot be decoded.
 * @throws what reading it throws; ChildFailure where it took too long, or the process was ended.
 */
export function thumbnailOf(open: OpenSource, pixels: number): Promise<Uint8Array | undefined> {
  const made = turn.then(() => (pixels <= maxPixelsHere ? shrinkHere(open) : shrinkApart(open)))
  turn = made.catch(() => undefined)
  return made
}

async function shrinkHere(open: OpenSource): Promise<Uint8Array | undefined> {
  const picture = await buffer(open())
  // Its library takes 8 MiB, which ingest and workers never need.
  const { shrink } = await import('./shrink-picture.ts')
  return shrink(picture, maxPixelsHere).catch(() => undefined)
}

async function shrinkApart(source: OpenSource): Promise<Uint8Array | undefined> {
  try {
    return await runInChild({
      module: new URL('./shrink-picture.ts', import.meta.url),
      input: { maxPixels },
      output: z.instanceof(Uint8Array),
      source,
      maxMemoryMib,
      timeoutMs,
      withAddons: true,
    })
  } catch (error) {
    if (error instanceof ChildFailure && (error.reason === 'memory' || error.reason === 'thrown')) return undefined
    throw error
  }
}
