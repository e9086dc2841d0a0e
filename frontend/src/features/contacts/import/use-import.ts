import type { CountryCode } from '@parley/phone'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { counted } from '../../../lib/format.ts'
import { toast } from '../../../ui/toast.ts'
import { changeMany, importRows, useContactsChanged } from '../api.ts'
import type { Column } from './columns.ts'
import { readBatches, readHead } from './file-reader.ts'
import { FileProblem } from './limits.ts'
import { columnsOf, type OpenedFile } from './open-file.ts'
import { noOutcome, type Outcome, withBatch } from './outcome.ts'

export interface ImportSettings {
  readonly columns: readonly Column[]
  readonly withHeader: boolean
  readonly country: CountryCode
  readonly tags: readonly string[]
  readonly onDuplicate: 'update' | 'skip'
}

export type ImportStep =
  | { readonly kind: 'choose'; readonly problem?: string; readonly isReading?: boolean }
  | { readonly kind: 'map'; readonly problem?: string }
  | { readonly kind: 'running'; readonly dryRun: boolean; readonly outcome: Outcome }
  | { readonly kind: 'checked'; readonly outcome: Outcome }
  /** `stopped` says why the file was not read to its end. */
  | { readonly kind: 'done'; readonly outcome: Outcome; readonly stopped?: string; readonly isUndone?: boolean }

interface Chosen {
  readonly file: File
  readonly opened: OpenedFile
}

/** An import from the choice of a file to its undo. */
export function useImport() {
  const [step, setStep] = useState<ImportStep>({ kind: 'choose' })
  const [chosen, setChosen] = useState<Chosen>()
  const [settings, setSettings] = useState<ImportSettings>()
  const running = useRef<AbortController>(undefined)
  const contactsChanged = useContactsChanged()
  useEffect(() => () => running.current?.abort(), [])

  async function choose(file: File): Promise<void> {
    setStep({ kind: 'choose', isReading: true })
    try {
      const opened = await readHead(file)
      const { withHeader } = opened
      setChosen({ file, opened })
      setSettings({
        columns: columnsOf(opened, withHeader),
        withHeader,
        country: 'IN',
        tags: [],
        onDuplicate: 'update',
      })
      setStep({ kind: 'map' })
    } catch (error) {
      setStep({ kind: 'choose', problem: wordsOf(error) })
    }
  }

  /** Goes once through the file. @returns why it stopped early, if it did. */
  async function pass(dryRun: boolean, { file, opened }: Chosen, plan: ImportSettings): Promise<[Outcome, string?]> {
    const controller = new AbortController()
    running.current = controller
    let outcome = noOutcome
    setStep({ kind: 'running', dryRun, outcome })
    try {
      await readBatches(
        { file, format: { encoding: opened.encoding, delimiter: opened.delimiter }, plan },
        async (batch) => {
          const { onDuplicate } = plan
          const rows = batch.rows.map((row) => ({ ...row }))
          const results = rows.length > 0 ? (await importRows({ dryRun, onDuplicate, rows })).rows : []
          outcome = withBatch(outcome, batch, results, file.size)
          if (!controller.signal.aborted) setStep({ kind: 'running', dryRun, outcome })
        },
        controller.signal,
      )
      return [outcome]
    } catch (error) {
      return [outcome, controller.signal.aborted ? 'You stopped the import.' : wordsOf(error, !dryRun)]
    }
  }

  async function check(): Promise<void> {
    if (!chosen || !settings) return
    const [outcome, stopped] = await pass(true, chosen, settings)
    if (stopped === undefined) setStep({ kind: 'checked', outcome })
    else setStep({ kind: 'map', ...(running.current?.signal.aborted ? {} : { problem: stopped }) })
  }

  async function run(): Promise<void> {
    if (!chosen || !settings) return
    const [outcome, stopped] = await pass(false, chosen, settings)
    contactsChanged()
    setStep({ kind: 'done', outcome, ...(stopped !== undefined && { stopped }) })
  }

  async function undo(outcome: Outcome): Promise<void> {
    try {
      await changeMany({ ids: [...outcome.createdIds] }, { kind: 'delete' })
      setStep({ kind: 'done', outcome, isUndone: true })
      toast.success(`${counted(outcome.created, 'imported contact')} removed.`)
    } catch {
      toast.error('The import could not be undone. Try again.')
    } finally {
      contactsChanged()
    }
  }

  return {
    step,
    file: chosen?.file,
    opened: chosen?.opened,
    settings,
    choose,
    change: (patch: Partial<ImportSettings>) => setSettings((before) => before && { ...before, ...patch }),
    setHeader: (withHeader: boolean) =>
      chosen &&
      setSettings((before) => before && { ...before, withHeader, columns: columnsOf(chosen.opened, withHeader) }),
    check,
    run,
    undo,
    /** What has been sent already is finished; nothing more is. */
    cancel: () => running.current?.abort(),
    back: () => setStep({ kind: 'map' }),
    startAnew: () => {
      setChosen(undefined)
      setStep({ kind: 'choose' })
    },
  }
}
export type ImportFlow = ReturnType<typeof useImport>

/** A sentence for the person: what is wrong with the file, what the server refused, or that it was not reached. */
function wordsOf(error: unknown, isImporting = false): string {
  if (error instanceof FileProblem) return error.message
  const refused = error instanceof ApiError && (error.body.message ?? 'The server refused the rows.')
  const next = isImporting
    ? 'The rows imported so far are saved. You can safely import the file again.'
    : 'Nothing was imported. Try again.'
  return `${refused || 'The connection was lost.'} ${next}`
}
