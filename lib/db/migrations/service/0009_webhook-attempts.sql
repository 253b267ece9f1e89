CREATE TABLE "service"."webhook_attempts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"kind" text NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"problem" text,
	"duration_ms" integer NOT NULL,
	"next_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "webhook_attempts_newest" ON "service"."webhook_attempts" USING btree ("webhook_id","id");