import ApiOutlined from '@ant-design/icons/ApiOutlined'
import BarChartOutlined from '@ant-design/icons/BarChartOutlined'
import BranchesOutlined from '@ant-design/icons/BranchesOutlined'
import DashboardOutlined from '@ant-design/icons/DashboardOutlined'
import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import MessageOutlined from '@ant-design/icons/MessageOutlined'
import PhoneOutlined from '@ant-design/icons/PhoneOutlined'
import RobotOutlined from '@ant-design/icons/RobotOutlined'
import SendOutlined from '@ant-design/icons/SendOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import TeamOutlined from '@ant-design/icons/TeamOutlined'
import type { ComponentType } from 'react'
import type { NavIcon } from '../routes.ts'

/** The pictures behind the names in the route table, kept out of the first load. */
export const navIcons: Record<NavIcon, ComponentType<{ 'aria-hidden'?: boolean }>> = {
  dashboard: DashboardOutlined,
  conversations: MessageOutlined,
  contacts: TeamOutlined,
  campaigns: SendOutlined,
  templates: FileTextOutlined,
  bots: RobotOutlined,
  workflows: BranchesOutlined,
  analytics: BarChartOutlined,
  numbers: PhoneOutlined,
  webhooks: ApiOutlined,
  settings: SettingOutlined,
}
