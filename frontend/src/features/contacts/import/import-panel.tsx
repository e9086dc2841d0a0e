import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useScreenDepth } from '../../../lib/screen-depth.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { importOptions, isWorking } from './api.ts'
import { CheckedStep } from './checked-step.tsx'
import { ChooseStep } from './choose-step.tsx'
import { DoneStep } from './done-step.tsx'
import { EarlierImports } from './earlier-imports.tsx'
import styles from './import-panel.module.css'
import { MapStep } from './map-step.tsx'
import { RunningStep } from './running-step.tsx'
import { useUpload } from './use-upload.ts'

/**
 * Contacts from a file: choose, match columns, try without changing anything, import, undo. The import lies on the server:
 * it continues without this page, which shows how far it is.
 * @param id of an import; without it a file is chosen.
 * @param onClose stable (`useCallback`).
 */
export function ImportPanel({
  id,
  onOpen,
  onClose,
  onShow,
}: {
  id: string | undefined
  onOpen: (id: string) => void
  onClose: () => void
  /** Shows the contacts of an import, or all of them. */
  onShow: (id: string | undefined) => void
}) {
  useScreenDepth('Import contacts', onClose)
  return (
    <section className={styles['panel']} aria-label="Import contacts">
      {id === undefined ? (
        <Choose onOpen={onOpen} />
      ) : (
        <OpenImport id={id} onShow={onShow} onAnother={() => onOpen('1')} />
      )}
    </section>
  )
}

function Choose({ onOpen }: { onOpen: (id: string) => void }) {
  const { upload, percent, problem } = useUpload(({ id }) => onOpen(id))
  return (
    <>
      <Card step="choose" title="Choose a file">
        <ChooseStep problem={problem} percent={percent} onFile={upload} />
      </Card>
      <EarlierImports onOpen={onOpen} />
    </>
  )
}

interface Ways {
  readonly onShow: (id: string | undefined) => void
  readonly onAnother: () => void
}

function OpenImport({ id, ...ways }: { id: string } & Ways) {
  const { data: record, isLoadingError, refetch } = useQuery(importOptions(id))
  if (isLoadingError)
    return (
      <ErrorState
        title="This import could not be read"
        message="It may have been deleted. Try again, or choose another file."
        onRetry={() => void refetch()}
      />
    )
  if (!record) return <SkeletonBlocks count={2} height="120px" />
  return (
    <Card step={record.state} title={titles[record.state]}>
      <Step record={record} {...ways} />
    </Card>
  )
}

const titles: Partial<Record<ImportRecord['state'], string>> = {
  draft: 'Match the columns',
  checked: 'Check the result',
}

function Step({ record, onShow, onAnother }: { record: ImportRecord } & Ways) {
  if (isWorking(record)) return <RunningStep record={record} />
  if (record.state === 'draft') return <MapStep key={readingOf(record)} record={record} onAnother={onAnother} />
  if (record.state === 'checked') return <CheckedStep record={record} />
  return <DoneStep record={record} onShow={onShow} onAnother={onAnother} />
}

/** Returns a key of the way of reading the file: another one makes other columns. */
const readingOf = ({ format, headerRow }: ImportRecord): string => JSON.stringify([format, headerRow])

function Card({ step, title, children }: { step: string; title: string | undefined; children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null)
  const first = useRef(step)
  // The button that led here is gone: keyboard and screen reader continue at the new step.
  useEffect(() => {
    if (step !== first.current) card.current?.focus()
    first.current = step
  }, [step])
  return (
    <div ref={card} tabIndex={-1} className={styles['card']}>
      {title && <h2 className={styles['title']}>{title}</h2>}
      {children}
    </div>
  )
}
