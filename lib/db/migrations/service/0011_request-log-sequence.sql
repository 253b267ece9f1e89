-- The sequence of an unlogged table is unlogged as well, and PostgreSQL 15 cannot read it on a standby that was promoted:
-- a sequence with the log of writes takes its place.
ALTER TABLE "service"."request_log" ALTER COLUMN "id" DROP DEFAULT;
--> statement-breakpoint
DROP SEQUENCE "service"."request_log_id_seq";
--> statement-breakpoint
CREATE SEQUENCE "service"."request_log_id_seq" OWNED BY "service"."request_log"."id";
--> statement-breakpoint
SELECT setval('service.request_log_id_seq', max("id")) FROM "service"."request_log" HAVING max("id") IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "service"."request_log" ALTER COLUMN "id" SET DEFAULT nextval('service.request_log_id_seq');
