import type { Notification } from '@parley/contracts/platform/notifications'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'

/** A notification for members, sent once. */
export interface NewNotification extends Omit<Notification, 'id' | 'at' | 'readAt'> {
  /** The occurrence: raised again, it comes to the same notification. */
  readonly key: string
  readonly at: Date
  /** Members whom it is for; absent for all who may act on its category. */
  readonly for?: readonly string[] | undefined
  /** Set where no member has to read it. */
  readonly readByAll?: Date | undefined
  /** Part of the sample data, or about something that is: it goes with it. */
  readonly sample?: true | undefined
}

/** Tells members what was not told before, in the transaction of what has happened. */
export type AddNotifications = (scope: WorkspaceScope, found: readonly NewNotification[], tx: Tx) => Promise<void>

const maxTitle = 120
export const maxBody = 300

/** A name and what happened to it; a name that leaves no room for that is cut. */
export function titled(name: string, what: string): string {
  const room = maxTitle - what.length - 1
  return `${cut(name, room)} ${what}`
}

/** A text that is no longer than that. */
export const cut = (text: string, length: number): string =>
  [...text].length > length ? `${[...text].slice(0, length - 1).join('')}…` : text
