import { StaffScreen } from '#components/staff/staff-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../prefetch.tsx'

export const metadata = { title: 'Staff' }

export default page(({ environment }) => ({
  here: routes.staff(environment),
  reads: [read('listStaff', environment)],
  screen: <StaffScreen />,
}))
