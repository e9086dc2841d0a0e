import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Pick<Awaited<ReturnType<typeof joinMessaging>>, 'simulator' | 'place'>

/** Puts a file on a customer's phone. @returns its id at the platform. */
export async function onPhone({ simulator, place }: Parley, bytes: Buffer, type: string): Promise<string> {
  const response = await fetch(`${simulator.url}/sim/media?phone_number_id=${place.phoneNumberId}`, {
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
