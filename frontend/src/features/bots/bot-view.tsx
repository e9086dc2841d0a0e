import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { EditorSkeleton } from '../../flow-builder/editor-skeleton.tsx'
import { FlowEditor } from '../../flow-builder/lazy-flow-editor.tsx'
import { ApiError } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { useFlowChoices } from '../../lib/flow-choices.ts'
import { useGo } from '../../lib/navigation.ts'
import { ActionLink } from '../../ui/action.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { botOptions, useUpdateBot } from './api.ts'
import { BotStatus } from './bot-status.tsx'

/** The builder of one bot. */
export function BotView({ id }: { id: string }) {
  const { data: bot, error, isFetching, refetch } = useQuery(botOptions(id))
  const update = useUpdateBot()
  const choices = useFlowChoices()
  const go = useGo()
  const leave = useCallback(() => void go('/bots'), [go])
  if (error instanceof ApiError && error.status === 404)
    return (
      <Page>
        <EmptyState
          title="This bot does not exist"
          message="It may have been deleted, or the link is not complete."
          action={<ActionLink to="/bots">All bots</ActionLink>}
        />
      </Page>
    )
  if (error && !isFetching)
    return (
      <Page>
        <ErrorState
          title="The bot could not be loaded"
          message={explain(error, 'Nothing is lost. Check your connection and try again.')}
          onRetry={() => void refetch()}
        />
      </Page>
    )
  if (!bot) return <EditorSkeleton />
  return (
    <FlowEditor
      what="bot"
      name={bot.name}
      draft={bot.draft}
      status={<BotStatus status={bot.status} />}
      {...choices}
      saving={update.isPending}
      onSave={(draft) => update.mutateAsync({ bot, patch: { draft } })}
      onRename={(name) => update.mutateAsync({ bot, patch: { name } })}
      onLeave={leave}
    />
  )
}
