import { csrfHeader } from '@parley/contracts/account/auth'
import type { Endpoint, EndpointResponse } from '@parley/contracts/core/endpoint'
import { idempotencyKeyHeader } from '@parley/contracts/core/headers'
import { ApiError, subjectHeaders } from './api.ts'

/**
 * Uploads a file to an endpoint that takes it as a stream. `fetch` cannot tell how much has been sent, so this is an
 * XMLHttpRequest.
 * @param idempotencyKey one for each file that a person has chosen, however often it is tried.
 * @param onProgress hears the share (0–1) that has been sent.
 * @throws ApiError for an answer other than 2xx; TypeError where none came; what `signal` was aborted with.
 */
export function uploadFile<E extends Endpoint>(
  { method, path, response }: E,
  file: Blob,
  {
    query,
    idempotencyKey,
    onProgress,
    signal,
  }: {
    query: Record<string, string>
    idempotencyKey?: string
    onProgress: (share: number) => void
    signal: AbortSignal
  },
): Promise<EndpointResponse<E>> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method, `${path}?${new URLSearchParams(query)}`)
    const headers = { Accept: 'application/json', [csrfHeader]: '1', ...subjectHeaders() }
    if (idempotencyKey !== undefined) request.setRequestHeader(idempotencyKeyHeader, idempotencyKey)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onerror = () => reject(new TypeError('The upload failed.'))
    request.onabort = () => reject(signal.reason)
    request.onload = () => {
      if (request.status < 200 || request.status > 299)
        return reject(new ApiError(request.status, request.statusText, request.responseText))
      try {
        // The schema decides what comes out; TypeScript cannot follow it through the generic parameter.
        resolve(response?.parse(JSON.parse(request.responseText)) as EndpointResponse<E>)
      } catch (error) {
        reject(error)
      }
    }
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
