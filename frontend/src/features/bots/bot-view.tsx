import SettingOutlined from '@ant-design/icons/SettingOutlined'
import type { BotRecord } from '@parley/contracts/automation/bots'
import { useQuery } from '@tanstack/react-query'
import { FlowCommands, nodeNameIn, Published, useDrawnRun } from '../../flow-builder/flow-commands.tsx'
import { FlowView } from '../../flow-builder/flow-view.tsx'
import { RunsPanel } from '../../flow-builder/runs-panel.tsx'
import { useIsRefused } from '../../lib/choices/members.ts'
import { openingHoursOptions } from '../../lib/choices/opening-hours.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { automationSettingsOptions, bots, sessions } from './api.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import type { BotsUrl, ChangeBotsUrl } from './url.ts'

/** The builder of one bot, with publication, settings and sessions. */
export function BotView({ id, url, change }: { id: string; url: BotsUrl; change: ChangeBotsUrl }) {
  const found = useQuery(bots.oneOptions(id))
  const { mutateAsync } = bots.useUpdate()
  const drawn = useDrawnRun(sessions, id, url.panel === 'sessions' ? url.session : undefined)
  const workspace = useQuery(automationSettingsOptions()).data
  const hours = useQuery(openingHoursOptions()).data
  const mayNotPublish = useIsRefused('bots:publish')
  const closePanel = () => change({ panel: undefined, session: undefined })
  return (
    <FlowView
      key={id}
      what="bot"
      list="/bots"
      found={found}
      onSave={mutateAsync}
      staleRecord={bots.staleRecord}
      badge={(bot) => <Published flow={bot} />}
      actions={(bot, editor) => (
        <FlowCommands
          flow={bot}
          runs={sessions}
          editor={editor}
          mayNotPublish={mayNotPublish}
          onRuns={() => change({ panel: 'sessions', session: undefined })}
        >
          <Tooltip text="Settings" side="bottom">
            <IconButton label="Settings" onClick={() => change({ panel: 'settings', session: undefined })}>
              <SettingOutlined aria-hidden />
            </IconButton>
          </Tooltip>
        </FlowCommands>
      )}
      {...(url.panel === 'sessions' && {
        panel: (bot: BotRecord) => (
          <RunsPanel
            runs={sessions}
            flowId={id}
            run={url.session}
            nodeName={(nodeId) => nodeNameIn(drawn?.flow ?? bot.draft, nodeId)}
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
