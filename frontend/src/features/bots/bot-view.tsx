import SettingOutlined from '@ant-design/icons/SettingOutlined'
import type { BotRecord } from '@parley/contracts/automation/bots'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EditorHandle } from '../../flow-builder/builder-context.ts'
import { FiguresPanel, useFigures } from '../../flow-builder/figures-panel.tsx'
import { FlowCommands, nodeNameIn, Published, useDrawnRun } from '../../flow-builder/flow-commands.tsx'
import { FlowView } from '../../flow-builder/flow-view.tsx'
import { initialRuns, RunsPanel } from '../../flow-builder/runs-panel.tsx'
import { TestsPanel } from '../../flow-builder/tests-panel.tsx'
import { useDrawnVersion } from '../../flow-builder/use-compared.ts'
import { VersionsPanel } from '../../flow-builder/versions-panel.tsx'
import { useIsRefused } from '../../lib/choices/members.ts'
import { openingHoursOptions } from '../../lib/choices/opening-hours.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { automationSettingsOptions, bots, botTests, sessions } from './api.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import type { BotsUrl, ChangeBotsUrl } from './url.ts'

/** The builder of one bot, with publication, settings and sessions. */
export function BotView({ id, url, change }: { id: string; url: BotsUrl; change: ChangeBotsUrl }) {
  const found = useQuery(bots.oneOptions(id))
  const { mutateAsync } = bots.useUpdate()
  const drawn = useDrawnRun(sessions, id, url.panel === 'sessions' ? url.session : undefined)
  const workspace = useQuery(automationSettingsOptions()).data
  const hours = useQuery(openingHoursOptions()).data
  const shown = { v: url.v, than: url.than }
  const drawnVersion = useDrawnVersion(sessions, found.data, url.panel === 'versions' ? shown : {})
  const [query, setQuery] = useState(initialRuns)
  const figures = useFigures(sessions, url.panel === 'figures' ? found.data : undefined)
  const keepTest = botTests.useCreateTest(id)
  const mayNotWrite = useIsRefused('bots:write')
  const mayNotPublish = useIsRefused('bots:publish')
  const closePanel = () => change({ panel: undefined, session: undefined, v: undefined, than: undefined })
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
          onFigures={() => change({ panel: 'figures', session: undefined })}
          onTests={() => change({ panel: 'tests', v: undefined, than: undefined })}
          onVersions={() => change({ panel: 'versions', v: undefined, than: undefined })}
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
            query={query}
            onQuery={setQuery}
            nodeName={(nodeId) => nodeNameIn(drawn?.flow ?? bot.draft, nodeId)}
            onChoose={(session) => change({ session })}
          />
        ),
        onPanelClose: closePanel,
      })}
      {...(url.panel === 'figures' && {
        panelTitle: 'Figures',
        panel: () => (
          <FiguresPanel
            runs={sessions}
            flowId={id}
            figures={figures}
            onOpen={(of) => {
              setQuery(of)
              change({ panel: 'sessions', session: undefined })
            }}
          />
        ),
        onPanelClose: closePanel,
      })}
      {...(url.panel === 'versions' && {
        panelTitle: 'Versions',
        panel: (bot: BotRecord, editor: EditorHandle) => (
          <VersionsPanel
            runs={sessions}
            flow={bot}
            editor={editor}
            mayNotPublish={mayNotPublish}
            mayNotWrite={mayNotWrite}
            shown={shown}
            onShow={({ v, than, closed }) => change({ v, than, ...(closed && { panel: undefined }) })}
          />
        ),
        onPanelClose: closePanel,
      })}
      {...(url.panel === 'tests' && {
        panelTitle: 'Tests',
        panel: (_: BotRecord, editor: EditorHandle) => (
          <TestsPanel tests={botTests} flowId={id} editor={editor} mayNotWrite={mayNotWrite} />
        ),
        onPanelClose: closePanel,
      })}
      drawn={drawn ?? figures.drawn ?? drawnVersion}
      onKeepTest={mayNotWrite ? undefined : keepTest.mutateAsync}
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
