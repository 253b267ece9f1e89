CREATE TABLE "console"."scenario_recordings" (
	"staff_id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"stopped_at" timestamp (3) with time zone,
	"calls" jsonb DEFAULT '[]'::jsonb NOT NULL
);
