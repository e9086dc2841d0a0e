import type { Readable } from 'node:stream'

/** Scope of a file's record: one workspace. */
interface Scope {
  readonly workspaceId: string
}

/** Properties of a file beside its type, as far as it was inspected. */
export interface MediaTraits {
  /** Names of codecs in films and sounds, `avc1` or `opus`, one for each track. */
  readonly videoCodecs?: readonly string[]
  readonly audioCodecs?: readonly string[]
  /** Set for pictures: colours for print, and the bits of each. */
  readonly colours?: 'cmyk'
  readonly bitsPerSample?: number
  /** Set for WebP: whether it moves. */
  readonly isAnimated?: boolean
}

export interface FoundMedia {
  /** Media type. */
  readonly type: string
  readonly traits: MediaTraits
}

/** A file that was checked and stored. */
export interface StoredMedia {
  readonly id: string
  /** Media type as found in the content, not as the sender called it. */
  readonly type: string
  /** Absent of older files. */
  readonly traits?: MediaTraits
  readonly sizeBytes: number
  readonly sha256: string
  /** Set for images. */
  readonly widthPx?: number
  readonly heightPx?: number
}

/** A file that a caller sends. */
export interface Upload {
  readonly content: Readable
  /** Media types that may be stored; with `any` also files of unknown type. */
  readonly accept: readonly string[] | 'any'
  /** Checks the content of a file of an accepted type; throws to refuse it. */
  readonly check?: (found: FoundMedia) => void
  /** Maximum bytes of all types, or of each. */
  readonly limitBytes: number | ((type: string, traits: MediaTraits) => number)
}

/** Storage of files. One content is stored once for a workspace. */
export interface MediaStore {
  /**
   * Stores an upload, or finds that the workspace has the same content already.
   * @throws `unsupported_media_type`, `body_too_large`, `validation_failed` for an image of too many pixels, unless any file is accepted.
   */
  readonly save: (scope: Scope, upload: Upload) => Promise<StoredMedia>
  /** Finds a file; `undefined` where the workspace has none. `open` reads all of it or the bytes of a range, `end` among them. */
  readonly read: (
    scope: Scope,
    id: string,
  ) => Promise<{ media: StoredMedia; open: (range?: { start: number; end: number }) => Readable } | undefined>
  /** @returns whether there was such a file. */
  readonly remove: (scope: Scope, id: string) => Promise<boolean>
}
