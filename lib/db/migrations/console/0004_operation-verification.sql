CREATE TABLE "console"."honoured_keys" (
	"environment" text PRIMARY KEY NOT NULL,
	"proven_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "console"."operations" ADD COLUMN "expected" jsonb;