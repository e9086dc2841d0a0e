import { randomUUID } from 'node:crypto'
import { rateUntilEmpty } from './backlog.ts'
import type { Rig } from './rig.ts'
import { inboundText, postWebhooks } from './webhooks.ts'

/** Each customer writes once, so that they can be answered; a worker applies it and ends. */
export async function makeConversations(rig: Rig, customers: number, connections: number): Promise<void> {
  const { hook, lines, db, folder } = rig
  const webhooks = Array.from({ length: customers }, (_, index) =>
    inboundText(hook, {
      phoneNumberId: lines[index % lines.length]?.phoneNumberId ?? '',
      from: `9198${String(index).padStart(8, '0')}`,
      wamid: `wamid.${randomUUID()}`,
      text: 'Hi',
    }),
  )
  await postWebhooks(webhooks, { url: hook.url, file: `${folder}/customers.json`, connections })
  const worker = await rig.startWorker()
  try {
    await rateUntilEmpty(() => db.collection('rawEvents').countDocuments({ lane: { $gte: '' } }, { hint: 'pending' }))
  } finally {
    await worker.stop()
  }
}
