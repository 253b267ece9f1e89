/** Whether the process responds: a supervisor restarts it where it does not. */
export { GET } from '../route.ts'
