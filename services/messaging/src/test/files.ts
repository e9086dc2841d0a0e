import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createLogger } from '@parley/service-kit/core/logger'
import { fromBufferPromise } from 'yauzl'
import { createFileHolders } from '../file-holders.ts'
import { createReleasedFiles } from '../modules/inbox/replies/released-files.ts'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Awaited<ReturnType<typeof joinMessaging>>

/**
 * Deletes files that were given up, as a worker does an hour later.
 * @param flows answers with what flows send, as lines of JSON; throws where automation does not answer. Absent: nothing.
 */
export function sweepReleased(
  { database: { connection: mongo } }: Pick<Parley, 'database'>,
  { flows = async () => '{}\n', afterMs = 3_700_000 }: { flows?: () => Promise<string>; afterMs?: number } = {},
): Promise<void> {
  const logger = createLogger({ name: 'released-files', level: 'silent' })
  const openRecords = async () => Readable.from([await flows()])
  const files = createReleasedFiles({ mongo, logger, openRecords, fileHolders: createFileHolders(mongo) })
  return files.sweep(new Date(Date.now() + afterMs))
}

/** Puts a file on a customer's phone. @returns its id at the platform. */
export async function onPhone(
  { simulator, simulatedNumber }: Pick<Parley, 'simulator' | 'simulatedNumber'>,
  bytes: Buffer,
  type: string,
): Promise<string> {
  const response = await fetch(`${simulator.url}/sim/media?phone_number_id=${simulatedNumber.phoneNumberId}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(bytes),
  })
  const { id }: { id: string } = JSON.parse(await response.text())
  return id
}

/** The files in a ZIP file. */
export async function unzipped(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes)
  const parts = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    parts.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return parts
}

/** A WebP of a few bytes that says that it is so large. Source: RFC 9649, extended file format. */
export function webp(widthPx: number, heightPx: number): Buffer {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(22, 4)
  bytes.write('WEBPVP8X', 8)
  bytes.writeUInt32LE(10, 16)
  bytes.writeUIntLE(widthPx - 1, 24, 3)
  bytes.writeUIntLE(heightPx - 1, 27, 3)
  return bytes
}
