import { haveTwoAccounts, mergeUndoDays, type Taken } from '@parley/contracts/contacts/contact-merge'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { explain } from '../../../lib/explain.ts'
import { offerUndo } from '../../../lib/undo.ts'
import { ContactSelect } from '../../../ui/contact-select.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { contactOptions } from '../api.ts'
import { useMerge, useUnmerge } from './api.ts'
import styles from './merge-dialog.module.css'
import { MergePreview } from './merge-preview.tsx'

const nothingTaken: Taken = { name: false, account: false, attributes: [] }

/** Makes one contact of two: whom, what counts where they differ, and what comes of it. */
export function MergeDialog({
  open,
  keptId,
  otherId,
  onClose,
  onMerged,
}: {
  open: boolean
  keptId: string
  /** Absent where it is still to be chosen. */
  otherId?: string | undefined
  onClose: () => void
  onMerged?: () => void
}) {
  const field = useId()
  const [chosen, setChosen] = useState<string>()
  const [taken, setTaken] = useState(nothingTaken)
  const other = otherId ?? chosen
  const { data: kept, isLoadingError, refetch } = useQuery({ ...contactOptions(keptId), enabled: open })
  const theirs = useQuery({ ...contactOptions(other ?? ''), enabled: open && other !== undefined })
  const { mutateAsync: merge, isPending } = useMerge()
  const { mutateAsync: unmerge } = useUnmerge()

  async function submit() {
    if (!kept || !theirs.data) return
    const { id, name } = theirs.data
    try {
      const contact = await merge({ kept, other: theirs.data, taken: onlyDifferences(kept, theirs.data, taken) })
      onClose()
      onMerged?.()
      offerUndo(`${name} was merged into ${contact.name}.`, async () => {
        await unmerge({ id: kept.id, otherId: id })
      })
    } catch (error) {
      toast.error(explain(error, 'The contacts could not be merged. Nothing has been changed. Try again.'))
    }
  }

  return (
    <FormDialog
      open={open}
      title={kept ? `Merge with ${kept.name}` : 'Merge contacts'}
      lead={`Their conversations become one, and tags and attributes come together. You can undo this for ${mergeUndoDays} days.`}
      submitLabel="Merge"
      submitDisabled={!kept || !theirs.data}
      pending={isPending}
      width={560}
      onClose={onClose}
      onClosed={() => {
        setChosen(undefined)
        setTaken(nothingTaken)
      }}
      onSubmit={() => void submit()}
    >
      {otherId === undefined && (
        <div className={styles['other']}>
          <label htmlFor={field}>The other contact</label>
          <ContactSelect
            id={field}
            value={chosen}
            except={keptId}
            onChange={(id) => {
              setChosen(id)
              setTaken(nothingTaken)
            }}
          />
        </div>
      )}
      {kept && theirs.data ? (
        <MergePreview kept={kept} other={theirs.data} taken={taken} onTake={setTaken} />
      ) : isLoadingError || theirs.isLoadingError ? (
        <ErrorState
          message="The contacts could not be loaded."
          onRetry={() => void (isLoadingError ? refetch() : theirs.refetch())}
        />
      ) : (
        other !== undefined && <SkeletonBar height="160px" />
      )}
    </FormDialog>
  )
}

/** Drops choices that were taken from a previously chosen contact. */
const onlyDifferences = (kept: Contact, other: Contact, taken: Taken): Taken => ({
  name: taken.name,
  account: taken.account && haveTwoAccounts(kept, other),
  attributes: taken.attributes.filter((name) => name in other.attributes),
})
