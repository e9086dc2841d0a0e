import type { Conversation } from '@parley/contracts/inbox/conversations'
import { useSyncExternalStore } from 'react'
import { z } from 'zod'

const storageKey = 'alerts'
const alertsSchema = z.object({ desktop: z.boolean(), sound: z.boolean() })
/** Ways in which this device announces a message that is not in view. */
export type Alerts = z.infer<typeof alertsSchema>

const none: Alerts = { desktop: false, sound: false }
let current = read()
const listeners = new Set<() => void>()

function read(): Alerts {
  try {
    return alertsSchema.safeParse(JSON.parse(localStorage.getItem(storageKey) ?? '')).data ?? none
  } catch {
    return none
  }
}

function set(next: Alerts): void {
  current = next
  try {
    localStorage.setItem(storageKey, JSON.stringify(next))
  } catch {
    // The choice lasts as long as the page if storage fails.
  }
  for (const listener of listeners) listener()
}

export const useAlerts = (): Alerts =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )

/** Set where this browser has desktop notifications at all. */
export const canNotify = 'Notification' in window

/** Asks the browser for its permission where it is needed. @returns whether they are on now. */
export async function setDesktopAlerts(on: boolean): Promise<boolean> {
  const granted = on && canNotify && (await Notification.requestPermission()) === 'granted'
  set({ ...current, desktop: granted })
  return granted
}

export function setSound(on: boolean): void {
  set({ ...current, sound: on })
  if (on) play()
}

/** Tells of a customer's message in a conversation that is not in view. */
export function alertOf({ id, contact, lastMessage }: Conversation): void {
  const open = new URLSearchParams(window.location.search).get('id')
  if (lastMessage.direction !== 'inbound' || (document.hasFocus() && open === id)) return
  if (current.sound) play()
  if (!current.desktop || !canNotify || Notification.permission !== 'granted' || document.hasFocus()) return
  // One for each conversation: the next message takes the place of the last.
  const notification = new Notification(contact.name, { body: lastMessage.text, tag: id })
  notification.onclick = () => {
    window.focus()
    window.location.assign(`/conversations?id=${id}`)
    notification.close()
  }
}

/** A short tone. Browsers play it only once the person has pressed something on the page. */
function play(): void {
  try {
    const context = new AudioContext()
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = 880
    volume.gain.setValueAtTime(0.08, context.currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.25)
    tone.connect(volume).connect(context.destination)
    tone.start()
    tone.stop(context.currentTime + 0.25)
    tone.onended = () => void context.close()
  } catch {
    // No sound on this device.
  }
}
