import { maxMergePairs, type SuggestedMerge } from '@parley/contracts/contacts/contact-merge'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox } from 'antd'
import { useState } from 'react'
import { contactJobsOptions } from '../../../lib/contact-jobs.ts'
import { explain } from '../../../lib/explain.ts'
import { counted } from '../../../lib/format.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonTable } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { suggestedMergesOptions } from './api.ts'
import styles from './duplicates-dialog.module.css'
import { SuggestedPair } from './suggested-pair.tsx'
import { useMergePairs } from './use-merge-many.ts'

/** Lists pairs of contacts that may be one person, with what comes of merging them; those that are chosen are merged in the background. */
export function DuplicatesDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { data, isLoadingError, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...suggestedMergesOptions(),
    enabled: open,
  })
  const lastMerges = useQuery({ ...contactJobsOptions(), enabled: open }).data?.find(
    ({ task }) => task.kind === 'merge',
  )
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [swapped, setSwapped] = useState<ReadonlySet<string>>(new Set())
  const [refusal, setRefusal] = useState<string>()
  const { merge, isPending, undoJob, isUndoing } = useMergePairs()
  const found = data?.pages.flatMap(({ items }) => items)
  const pairs = (found ?? []).map((pair) => (swapped.has(keyOf(pair)) ? turned(pair) : pair))
  const times = timesOf(pairs)
  const picked = pairs.filter((_, index) => chosen.has(keyOf(found?.[index] ?? pairs[index])))
  const choosable = (found ?? []).slice(0, maxMergePairs)
  const isAll = choosable.length > 0 && choosable.every((pair) => chosen.has(keyOf(pair)))
  const toggle = (set: ReadonlySet<string>, key: string) =>
    new Set(set.has(key) ? [...set].filter((one) => one !== key) : [...set, key])

  async function submit(): Promise<void> {
    setRefusal(undefined)
    try {
      const follow = await merge(
        picked.map(({ kept, other }) => ({
          keptId: kept.id,
          version: kept.version,
          otherId: other.id,
          otherVersion: other.version,
        })),
      )
      setChosen(new Set())
      onClose()
      await follow()
    } catch (error) {
      setRefusal(explain(error, 'The merges could not be started. Nothing has been changed.'))
    }
  }

  return (
    <FormDialog
      open={open}
      title="Possible duplicates"
      lead="Contacts with one name and one e-mail address or phone number, or of whom one is known by the number and the other by the user name alone."
      submitLabel={picked.length > 0 ? `Merge ${counted(picked.length, 'pair')}` : 'Merge'}
      submitDisabled={picked.length === 0 || picked.length > maxMergePairs}
      pending={isPending}
      width={680}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      {lastMerges?.canUndo && (
        <Alert
          type="info"
          title={`${counted(lastMerges.changed, 'pair')} merged last.`}
          action={
            <Button
              size="small"
              loading={isUndoing}
              onClick={() =>
                void undoJob(lastMerges.id).catch(() => toast.error('The merges could not be undone. Try again.'))
              }
            >
              Undo
            </Button>
          }
        />
      )}
      {isLoadingError ? (
        <ErrorState message="The duplicates could not be loaded." onRetry={() => void refetch()} />
      ) : !found ? (
        <SkeletonTable rows={3} height="72px" />
      ) : found.length === 0 ? (
        <p className={styles['quiet']}>{hasNextPage ? 'None so far.' : 'No contacts look like the same person.'}</p>
      ) : (
        <>
          <Checkbox
            checked={isAll}
            indeterminate={!isAll && picked.length > 0}
            onChange={() => setChosen(isAll ? new Set() : new Set(choosable.map(keyOf)))}
          >
            Choose all {counted(choosable.length, 'pair')}
          </Checkbox>
          <ul className={styles['pairs']} aria-label="Possible duplicates">
            {pairs.map((pair, index) => {
              const key = keyOf(found[index] ?? pair)
              return (
                <SuggestedPair
                  key={key}
                  pair={pair}
                  chosen={chosen.has(key)}
                  onChoose={() => setChosen(toggle(chosen, key))}
                  // A contact in several pairs stays in all of them.
                  onSwap={
                    times.get(pair.kept.id) === 1 && times.get(pair.other.id) === 1
                      ? () => setSwapped(toggle(swapped, key))
                      : undefined
                  }
                />
              )
            })}
          </ul>
        </>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Look further
        </Button>
      )}
      {picked.length > 0 && <p className={styles['quiet']}>{consequence(picked)}</p>}
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </FormDialog>
  )
}

const keyOf = (pair: SuggestedMerge | undefined): string => `${pair?.kept.id} ${pair?.other.id}`

const turned = ({ kept, other, because, moved }: SuggestedMerge): SuggestedMerge => ({
  kept: other,
  other: kept,
  because,
  moved: { kept: moved.other, other: moved.kept },
})

/** Counts the pairs that each contact is in. */
function timesOf(pairs: readonly SuggestedMerge[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { kept, other } of pairs) for (const { id } of [kept, other]) times.set(id, (times.get(id) ?? 0) + 1)
  return times
}

function consequence(picked: readonly SuggestedMerge[]): string {
  const sum = (count: (pair: SuggestedMerge) => number) => picked.reduce((total, pair) => total + count(pair), 0)
  const conversations = counted(
    sum(({ moved }) => moved.other.conversations),
    'conversation',
  )
  const messages = counted(
    sum(({ moved }) => moved.other.messages),
    'message',
  )
  return `${conversations} with ${messages} move. All of it can be undone for seven days, and each merge on its contact’s page for 30; messages written meanwhile stay with the contact that stays, and so does what was changed since.`
}
