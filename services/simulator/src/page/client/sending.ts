import { call, showNotice, state } from './state.ts'
import type { Message, Phone } from './types.ts'

/** Sends a message of a customer; the message that they have chosen to answer is quoted. */
export async function send(phone: Phone, type: string, content: unknown, replyTo: Message | undefined = phone.replyTo) {
  if (replyTo === phone.replyTo) phone.replyTo = undefined
  return call('/inbound', {
    user_id: phone.customerId,
    phone_number_id: state.numberId,
    type,
    [type]: content,
    ...(replyTo && { reply_to: replyTo.id }),
  })
}

/** Hands a file to the simulator. @returns its media id. */
async function upload(file: Blob, name: string): Promise<string> {
  const query = new URLSearchParams({ phone_number_id: state.numberId, name })
  const response = await fetch(`/sim/media?${query}`, {
    method: 'POST',
    headers: { 'content-type': file.type || 'application/octet-stream' },
    body: file,
  })
  const answer = await response.json()
  if (response.ok) return answer.id
  showNotice(answer.message ?? 'The file could not be taken.')
  throw new Error(state.notice)
}

/** Returns the type of message that a file makes. */
export const kindOf = (type: string): string =>
  type === 'image/webp' ? 'sticker' : (/^(image|video|audio)\//.exec(type)?.[1] ?? 'document')

/** Sends a file as the type that it has. */
export async function sendFile(phone: Phone, file: File, caption = ''): Promise<void> {
  const type = kindOf(file.type)
  const id = await upload(file, file.name)
  await send(phone, type, {
    id,
    ...(type === 'document' && { filename: file.name }),
    ...(caption && type !== 'audio' && type !== 'sticker' && { caption }),
  })
}

/** Sends Ogg with Opus as a voice note. */
export async function sendVoice(phone: Phone, note: Blob): Promise<void> {
  const id = await upload(note, 'voice.ogg')
  await send(phone, 'audio', { id, voice: true })
}
