import { handleAuth } from '#lib/console/desk/session/auth.ts'

export { handleAuth as GET, handleAuth as POST }
