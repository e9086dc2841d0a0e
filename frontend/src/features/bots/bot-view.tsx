import CloudUploadOutlined from '@ant-design/icons/CloudUploadOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import type { BotRecord } from '@parley/contracts/automation/bots'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import type { EditorHandle } from '../../flow-builder/builder-context.ts'
import { FlowView } from '../../flow-builder/flow-view.tsx'
import { useIsRefused } from '../../lib/choices/members.ts'
import { openingHoursOptions } from '../../lib/choices/opening-hours.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { automationSettingsOptions, bots, runOptions, versionOptions } from './api.ts'
import { PublishDialog } from './publish-dialog.tsx'
import styles from './sessions-panel.module.css'
import { SessionsPanel } from './sessions-panel.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import type { BotsUrl, ChangeBotsUrl } from './url.ts'

/** The builder of one bot, with publication, settings and sessions. */
export function BotView({ id, url, change }: { id: string; url: BotsUrl; change: ChangeBotsUrl }) {
  const found = useQuery(bots.oneOptions(id))
  const { mutateAsync } = bots.useUpdate()
  const drawn = useDrawnSession(id, url.panel === 'sessions' ? url.session : undefined)
  const workspace = useQuery(automationSettingsOptions()).data
  const hours = useQuery(openingHoursOptions()).data
  const closePanel = () => change({ panel: undefined, session: undefined })
  return (
    <FlowView
      key={id}
      what="bot"
      list="/bots"
      found={found}
      onSave={mutateAsync}
      staleRecord={bots.staleRecord}
      badge={(bot) => <Published bot={bot} />}
      actions={(bot, editor) => (
        <BotActions bot={bot} editor={editor} onPanel={(panel) => change({ panel, session: undefined })} />
      )}
      {...(url.panel === 'sessions' && {
        panel: (bot: BotRecord) => (
          <SessionsPanel
            botId={id}
            session={url.session}
            nodeName={(nodeId) => nameOf(drawn?.flow ?? bot.draft, nodeId)}
            onChoose={(session) => change({ session })}
          />
        ),
        onPanelClose: closePanel,
      })}
      drawn={drawn}
      facts={({ settings }) =>
        workspace && {
          hours,
          settings: {
            ...settings,
            handOverWords: [...settings.handOverWords, ...workspace.handOverWords],
            closedText: workspace.closedText,
          },
        }
      }
    >
      {(bot) => <SettingsDialog bot={bot} open={url.panel === 'settings'} onClose={closePanel} />}
    </FlowView>
  )
}

const nameOf = ({ nodes }: DraftFlow, nodeId: string): string =>
  nodes.find(({ id }) => id === nodeId)?.label || 'A node of another version'

/** The version that a session runs on, and the nodes that it has been at. */
function useDrawnSession(botId: string, session: string | undefined) {
  const run = useQuery({ ...runOptions(session ?? ''), enabled: session !== undefined }).data
  const version = useQuery({
    ...versionOptions(botId, run?.run.number ?? 0),
    enabled: session !== undefined && run !== undefined,
  }).data
  return useMemo(() => {
    if (session === undefined || !run || !version) return undefined
    return {
      flow: version.flow,
      visited: new Set(run.steps.map(({ nodeId }) => nodeId)),
      active: run.run.status === 'ended' ? null : (run.run.nodeId ?? null),
      title: `Version ${version.number}`,
    }
  }, [session, run, version])
}

/** `Version 7 runs · draft differs`. */
function Published({ bot: { publishedVersion, unpublishedChanges, status } }: { bot: BotRecord }) {
  if (publishedVersion === undefined) return <span className={styles['quiet']}>Not published</span>
  return (
    <span className={styles['quiet']}>
      Version {publishedVersion} {status === 'active' ? 'runs' : 'is published'}
      {unpublishedChanges && ' · draft differs'}
    </span>
  )
}

function BotActions({
  bot,
  editor,
  onPanel,
}: {
  bot: BotRecord
  editor: EditorHandle
  onPanel: (panel: 'sessions' | 'settings') => void
}) {
  const [isOpen, setOpen] = useState(false)
  const mayNotPublish = useIsRefused('bots:publish')
  const openPublish = async () => {
    // The server publishes the saved draft.
    if (!editor.dirty || (await editor.save())) setOpen(true)
  }
  return (
    <>
      <Tooltip text="Sessions" side="bottom">
        <IconButton label="Sessions" onClick={() => onPanel('sessions')}>
          <HistoryOutlined aria-hidden />
        </IconButton>
      </Tooltip>
      <Tooltip text="Settings" side="bottom">
        <IconButton label="Settings" onClick={() => onPanel('settings')}>
          <SettingOutlined aria-hidden />
        </IconButton>
      </Tooltip>
      <Button
        icon={<CloudUploadOutlined aria-hidden />}
        disabled={mayNotPublish || (!editor.dirty && !bot.unpublishedChanges && bot.publishedVersion !== undefined)}
        onClick={() => void openPublish()}
      >
        Publish
      </Button>
      <PublishDialog
        bot={bot}
        open={isOpen}
        nameOf={(nodeId) => bot.draft.nodes.find(({ id }) => id === nodeId)?.label}
        onReveal={(nodeId) => {
          setOpen(false)
          editor.reveal([nodeId])
        }}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
