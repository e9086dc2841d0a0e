import type { z } from 'zod'

/** Prefix of typed texts that are not sent yet. They outlive a reload of the person's tab, and no one else sees them. */
const prefix = 'kept '
const keyOf = (uid: string, name: string) => `${prefix}${uid} ${name}`

let owner: string | undefined

/** Keeps only this person's texts from now on and discards all others. Discards all of them where no one is signed in. */
export function setStorageOwner(uid: string | undefined): void {
  owner = uid
  withStorage((storage) => {
    for (const key of Object.keys(storage)) {
      const isOthers = uid === undefined || !key.startsWith(keyOf(uid, ''))
      if (key.startsWith(prefix) && isOthers) storage.removeItem(key)
    }
  })
}

/** Returns whose texts are kept now. */
export const storageOwner = (): string | undefined => owner

/** Returns the value kept under this name; undefined if it no longer has this shape. */
export function readSessionValue<T>(name: string, schema: z.ZodType<T>): T | undefined {
  const text = withStorage((storage) => (owner === undefined ? null : storage.getItem(keyOf(owner, name))))
  if (!text) return undefined
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Keeps a value that JSON can hold; `undefined` forgets it. */
export function writeSessionValue(name: string, value: unknown): void {
  withStorage((storage) => {
    if (owner === undefined) return
    if (value === undefined) storage.removeItem(keyOf(owner, name))
    else storage.setItem(keyOf(owner, name), JSON.stringify(value))
  })
}

/** Storage may be forbidden or full: then nothing outlives the reload, and that is all. */
function withStorage<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(sessionStorage)
  } catch {
    return undefined
  }
}
