import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { draftOptions } from '../drafts-api.ts'
import { type CampaignsUrl, type ChangeUrl, wizardClosed } from '../url.ts'
import { DraftGone } from './draft-gone.tsx'
import { DraftSteps } from './draft-steps.tsx'

/** A broadcast that is being written: a new one, which becomes a draft with its first change, or a stored draft. */
export function NewBroadcast({ url, change }: { url: CampaignsUrl; change: ChangeUrl }) {
  const [fresh, setFresh] = useState<{ count: number; id?: string; isNamed?: true }>({ count: 0 })
  // The address names it a moment after it was created; once it does, "new" means another one.
  if (url.draft !== undefined && url.draft === fresh.id && !fresh.isNamed) setFresh({ ...fresh, isNamed: true })
  if (url.new && fresh.isNamed) setFresh({ count: fresh.count + 1 })
  const onCreated = useCallback(
    (id: string) => {
      setFresh(({ count }) => ({ count, id }))
      change({ new: undefined, template: undefined, draft: id }, { replace: true })
    },
    [change],
  )
  if (url.draft !== undefined && url.draft !== fresh.id)
    return <StoredDraft key={url.draft} id={url.draft} url={url} change={change} />
  return <DraftSteps key={fresh.count} url={url} change={change} record={undefined} onCreated={onCreated} />
}

function StoredDraft({ id, url, change }: { id: string; url: CampaignsUrl; change: ChangeUrl }) {
  // Read again, with the names of its contacts, which lists do not have.
  const { data, error, isFetchedAfterMount, isFetching, refetch } = useQuery({ ...draftOptions(id), staleTime: 0 })
  const onCreated = useCallback((another: string) => change({ draft: another }, { replace: true }), [change])
  const [opened, setOpened] = useState(false)
  const leave = () => change(wizardClosed)
  // Later changes while it is open are reported by its steps.
  if (data?.status === 'draft' && isFetchedAfterMount && !opened) setOpened(true)
  if (opened && data)
    return (
      <DraftSteps url={url} change={change} record={data.status === 'draft' ? data : undefined} onCreated={onCreated} />
    )
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Page>
      {isMissing || (data && data.status !== 'draft' && isFetchedAfterMount) ? (
        <DraftGone
          name="This draft"
          launched={isMissing ? undefined : data}
          isUnsaved={false}
          onShow={(campaign) => change({ ...wizardClosed, id: campaign })}
          onKeep={undefined}
          onLeave={leave}
        />
      ) : error && !isFetching ? (
        <ErrorState
          title="The draft could not be loaded"
          message="It is not affected. Check your connection and try again."
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonBlocks count={2} height="220px" />
      )}
    </Page>
  )
}
