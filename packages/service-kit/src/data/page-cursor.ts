import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { areEqualBytes } from '../core/equal-bytes.ts'
import { errors } from '../core/errors.ts'

/** Position in a list, between two records. Without one it is the end from which the direction starts. */
export interface PageStart {
  readonly direction: 'next' | 'previous'
  readonly position?: { readonly key: SortKey; readonly id: string } | undefined
}
/** The value of a record's sort field. */
export type SortKey = string | number | boolean | Date | null

const cursorSchema = z.tuple([
  z.enum(['n', 'p']),
  z
    .tuple([z.union([z.string(), z.number(), z.boolean(), z.null(), z.object({ date: z.number() })]), z.string()])
    .optional(),
])

/**
 * Cursors of pages: opaque to callers, signed, and bound to what they were made for: another workspace, query or sort
 * refuses them.
 * @param secret from the configuration, the same in all replicas; at least 32 characters.
 */
export function createPageCursors(secret: string) {
  if (secret.length < 32) throw new Error('the secret of page cursors needs at least 32 characters')
  const sign = (payload: string, boundTo: string): Buffer =>
    createHmac('sha256', secret).update(`${payload}\n${boundTo}`).digest().subarray(0, 16)

  return {
    write: ({ direction, position }: PageStart, boundTo: string): string => {
      const fields = [direction === 'next' ? 'n' : 'p', ...(position ? [[toJson(position.key), position.id]] : [])]
      const payload = Buffer.from(JSON.stringify(fields)).toString('base64url')
      return `${payload}.${sign(payload, boundTo).toString('base64url')}`
    },
    /** @throws `validation_failed` on `cursor` for one that is damaged or belongs to another list. */
    read: (cursor: string, boundTo: string): PageStart => {
      const [payload = '', signature = ''] = cursor.split('.')
      const receivedMac = Buffer.from(signature, 'base64url')
      if (!areEqualBytes(sign(payload, boundTo), receivedMac))
        throw errors.validation({ cursor: 'This page is of another list. Begin with the first page.' })
      const [direction, position] = cursorSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
      return {
        direction: direction === 'n' ? 'next' : 'previous',
        ...(position && { position: { key: fromJson(position[0]), id: position[1] } }),
      }
    },
  }
}
export type PageCursors = ReturnType<typeof createPageCursors>

type JsonKey = Exclude<SortKey, Date> | { date: number }
const toJson = (key: SortKey): JsonKey => (key instanceof Date ? { date: key.getTime() } : key)
const fromJson = (key: JsonKey): SortKey => (typeof key === 'object' && key !== null ? new Date(key.date) : key)
