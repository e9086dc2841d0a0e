import { importLimits } from '@parley/contracts/contacts/import-files'
import { type ImportRecord, importsApi } from '@parley/contracts/contacts/imports'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { explain } from '../../../lib/explain.ts'
import { uploadFile } from '../../../lib/upload.ts'
import { receiveImport } from './api.ts'

/** Trying the same file again after an answer was lost makes no second import. */
const keys = new WeakMap<File, string>()
function keyOf(file: File): string {
  const key = keys.get(file) ?? crypto.randomUUID()
  keys.set(file, key)
  return key
}

/** Sends a file to the server, which says what is in it. `percent` while it is on its way. */
export function useUpload(onStored: (record: ImportRecord) => void) {
  const client = useQueryClient()
  const [percent, setPercent] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function upload(file: File): Promise<void> {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setProblem(undefined)
    if (file.size > importLimits.bytes) return setProblem('The file is larger than 50 MB. Split it into smaller files.')
    setPercent(0)
    try {
      const record = await uploadFile(importsApi.create, file, {
        query: { name: file.name.slice(0, 240) || 'File' },
        idempotencyKey: keyOf(file),
        onProgress: (share) => setPercent(Math.floor(share * 100)),
        signal: controller.signal,
      })
      receiveImport(client, record)
      onStored(record)
    } catch (error) {
      if (!controller.signal.aborted)
        setProblem(explain(error, 'The connection was lost. Nothing was imported. Try again.'))
    } finally {
      if (running.current === controller) setPercent(undefined)
    }
  }

  return { upload: (file: File) => void upload(file), percent, problem }
}
