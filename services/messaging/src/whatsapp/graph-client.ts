import { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import { z } from 'zod'
import { type GraphAnswer, GraphCallFailed, readAnswer } from './graph-answer.ts'
import type { ObserveGraph } from './measure-graph.ts'
import { mediaForm, type UploadedFile } from './media-form.ts'

const version = 'v26.0'
const maxTimeoutMs = 20_000
const callTimeoutMs = 15_000
const connectTimeoutMs = 5_000

/** Ids are texts; a number has been seen. */
const answeredId = z.union([z.string().min(1).max(100), z.number().int().positive().transform(String)])

export interface Credentials {
  readonly accessToken: string
}

/**
 * The WhatsApp Cloud API over kept connections.
 * Source: developers.facebook.com, WhatsApp Business Platform, Cloud API reference.
 * @param baseUrl `https://graph.facebook.com`, or the simulator.
 */
export function createGraphClient(
  baseUrl: string,
  { connections = 320, observe = () => {} }: { connections?: number; observe?: ObserveGraph } = {},
) {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = `${pathname.replace(/\/$/, '')}/${version}`
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: maxTimeoutMs,
    bodyTimeout: maxTimeoutMs,
  })

  /** One request. @throws the network's own error where there is no answer. */
  async function exchange(options: Dispatcher.RequestOptions) {
    const startedAt = performance.now()
    const tell = (answer?: GraphAnswer) => observe(options.path, answer, performance.now() - startedAt)
    try {
      const { statusCode, headers, body } = await pool.request({ ...options, path: `${prefix}/${options.path}` })
      const text = await body.text()
      tell({ status: statusCode, headers, text })
      return { statusCode, headers, text }
    } catch (error) {
      tell()
      throw error
    }
  }

  /** @throws GraphCallFailed with Meta's own words. */
  async function call<T extends z.ZodType>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    options: Credentials & { body?: object; query?: Record<string, string>; answer: T },
  ): Promise<z.infer<T>> {
    const query = options.query ? `?${new URLSearchParams(options.query)}` : ''
    const { statusCode, headers, text } = await request({
      method,
      path: `${path}${query}`,
      headers: {
        authorization: `Bearer ${options.accessToken}`,
        ...(options.body && { 'content-type': 'application/json' }),
      },
      body: options.body ? JSON.stringify(options.body) : null,
      headersTimeout: callTimeoutMs,
      bodyTimeout: callTimeoutMs,
    })
    return readAnswer(options.answer, { status: statusCode, headers, text })
  }

  async function request(options: Dispatcher.RequestOptions) {
    try {
      return await exchange(options)
    } catch (error) {
      throw new GraphCallFailed('WhatsApp cannot be reached right now.', undefined, error)
    }
  }

  /** Uploads a file as it is read. @returns its media id, good for 30 days. */
  async function uploadMedia(phoneNumberId: string, file: UploadedFile, { accessToken }: Credentials): Promise<string> {
    const { contentType, contentLength, body } = mediaForm(file)
    const { statusCode, headers, text } = await request({
      method: 'POST',
      path: `${encodeURIComponent(phoneNumberId)}/media`,
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': contentType,
        'content-length': String(contentLength),
      },
      body,
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
    })
    return readAnswer(z.object({ id: answeredId }), { status: statusCode, headers, text }).id
  }

  /** The bytes of a resumable upload, as they are read. @returns the handle of the file. */
  async function uploadBytes(session: string, file: UploadedFile, { accessToken }: Credentials): Promise<string> {
    const { statusCode, headers, text } = await request({
      method: 'POST',
      path: session,
      headers: {
        authorization: `OAuth ${accessToken}`,
        file_offset: '0',
        'content-type': file.mimeType,
        'content-length': String(file.sizeBytes),
      },
      body: file.content,
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
    })
    return readAnswer(z.object({ h: z.string().min(1).max(4000) }), { status: statusCode, headers, text }).h
  }

  /** Returns the address of a media object's bytes, valid for five minutes. */
  const describeMedia = (mediaId: string, phoneNumberId: string, { accessToken }: Credentials) =>
    call('GET', encodeURIComponent(mediaId), {
      accessToken,
      query: { phone_number_id: phoneNumberId },
      answer: z.looseObject({ url: z.url(), mime_type: z.string(), file_size: z.coerce.number() }),
    })

  /**
   * Downloads the bytes from an address that {@link describeMedia} gave. The token goes only to Meta's own hosts and the
   * configured one; redirects are not followed.
   * @throws GraphCallFailed where it is not there any more.
   */
  async function downloadMedia(url: string, { accessToken }: Credentials): Promise<Readable> {
    const address = new URL(url)
    if (address.origin !== origin && !isMetaHost(address))
      throw new GraphCallFailed('The media address is not one of Meta.')
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${accessToken}` },
      redirect: 'error',
      signal: AbortSignal.timeout(120_000),
    }).catch((error: unknown) => {
      throw new GraphCallFailed('The media could not be fetched.', undefined, error)
    })
    if (!response.ok || !response.body) {
      await response.body?.cancel()
      throw new GraphCallFailed(`The media server answered ${response.status}.`)
    }
    return Readable.fromWeb(response.body)
  }

  return { exchange, call, uploadMedia, uploadBytes, describeMedia, downloadMedia, close: () => pool.close() }
}
export type GraphClient = ReturnType<typeof createGraphClient>

const isMetaHost = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' && /(^|\.)(fbsbx\.com|facebook\.com|fbcdn\.net|whatsapp\.net)$/.test(hostname)
